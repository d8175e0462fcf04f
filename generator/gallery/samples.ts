import { eventKinds, type Task } from '../../env/index.ts';
import { type CliffSpec, formatCliffId } from '../cliff/index.ts';
import { type EventSpec, formatEventId, levels } from '../levels/index.ts';
import { makeTask } from '../select/index.ts';
import { loadSuite, type SuiteName, suiteNames } from '../suite/index.ts';

/** Samples of one part of what can be posed. */
export interface Chapter {
  readonly title: string;
  readonly about: string;
  readonly tasks: readonly Task[];
}

/** One sample for each kind of task: depths, profiles, kinds of events, levels, arms, categories of the suites. */
export function makeChapters(): readonly Chapter[] {
  return [cliffChapter(), kindChapter(), levelChapter(), armChapter(), ...suiteNames.map(suiteChapter)];
}

function cliffChapter(): Chapter {
  const fair: readonly CliffSpec[] = [0, 1, 2, 3, 4].map((depth) => ({ profile: 'fair', depth, ops: 2, seed: 7 }));
  const classic: CliffSpec = { profile: 'classic', depth: 2, ops: 2, seed: 7 };
  return {
    title: 'The cliff',
    about:
      'The same work, N tokens gathered into a report, ever deeper inside tmux; at last under published conditions.',
    tasks: [...fair, classic].map((spec) => makeTask(formatCliffId(spec))),
  };
}

function kindChapter(): Chapter {
  const single = eventKinds.map((kind) => eventTask({ kind }));
  return {
    title: 'Events by kind',
    about: 'What happens while nobody looks; the mixed kind draws from all six.',
    tasks: [...single, eventTask({ kind: 'mixed', count: 3 })],
  };
}

function levelChapter(): Chapter {
  const names = levels.map(({ level, name }) => `E${level} ${name}`).join(', ');
  return {
    title: 'Events by level',
    about: `The same two events in ever harder surroundings: ${names}.`,
    tasks: levels.map(({ level }) => eventTask({ level, count: 2 })),
  };
}

function armChapter(): Chapter {
  return {
    title: 'Control arms',
    about: 'In arm `none` nothing happens and a report is a false alarm; in arm `told` the prompt says where to look.',
    tasks: (['none', 'told'] as const).map((arm) => eventTask({ arm })),
  };
}

function suiteChapter(suite: SuiteName): Chapter {
  const first = new Map<string, Task>();
  for (const task of loadSuite(suite)) {
    const category = task.about?.category ?? task.id;
    if (!first.has(category)) first.set(category, task);
  }
  return {
    title: `Suite: ${suite}`,
    about: 'Hand-written tasks, the first of each category.',
    tasks: [...first.values()],
  };
}

function eventTask(place: Partial<EventSpec>): Task {
  return makeTask(formatEventId({ kind: 'death', level: 1, count: 1, seed: 7, arm: 'event', ...place }));
}
