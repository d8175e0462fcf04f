import type { Action, EventAxes, Solution, Task } from '../../env/index.ts';
import type { Drafted } from './checks.ts';
import { type Crew, idleWindow } from './crew.ts';
import type { EventMaker, Moves } from './kind.ts';
import type { LevelChoices } from './level.ts';
import type { Schedule } from './schedule.ts';
import { target } from './shell.ts';
import type { Work } from './work.ts';

export interface SolutionsRequest {
  readonly arm: EventAxes['arm'];
  readonly choices: LevelChoices;
  readonly crew: Crew;
  readonly events: readonly Drafted[];
  readonly explained: readonly EventMaker[];
  readonly schedule: Schedule;
  readonly work: Work;
}

/** Seconds between two looks; in fewer a heartbeat might not come, and whoever chatters might seem silent. */
const leastPause = 4;
/** Ticks of one wait. */
const longestWait = 10;

/** Seconds of real time in which a monitor for silence is armed: tmux counts those, not the gym's. */
const silenceArmed = { before: 2, whole: 5 } as const;

/**
 * Two oracles that only know the prompt, one that looks again and again and one that arms hooks and monitors (it does
 * know when to arm a monitor for silence, which costs real time); in arm `told` also one that does what it is told. The
 * naive one does the job and what it is told, and looks at nothing; the wrong one makes its notes up.
 */
export function makeSolutions(request: SolutionsRequest): Task['solutions'] {
  const { arm, work, schedule } = request;
  const poll = script('poll', [...prelude(request), ...work.script, ...makeRounds(request, schedule.end)]);
  const armed = script('arm', makeArmed(request));
  const told = script('do-as-told', makeTold(request));
  const lookAway = { name: 'look-away', actions: [...script('', work.script).actions, ...makeWaits(schedule.end + 1)] };
  const wrong = { name: 'made-up', actions: [...lookAway.actions, ...script('', makeMadeUp(request)).actions] };
  return {
    oracle: arm === 'told' ? [told, poll, armed] : [poll, armed],
    naive: arm === 'told' ? { ...told, name: 'look-away' } : lookAway,
    wrong,
    ...(arm === 'event' && isGuessed(request) ? { lazy: [script('acknowledge-all', makeShotgun(request))] } : {}),
  };
}

function script(name: string, lines: readonly string[]): Solution {
  return { name, actions: [{ type: 'script', script: lines.join('\n') }] };
}

function makeWaits(ticks: number): readonly Action[] {
  const waits = Array.from({ length: Math.ceil(ticks / longestWait) }, (_, index) =>
    Math.min(longestWait, ticks - index * longestWait),
  );
  return waits.map((each) => ({ type: 'wait', ticks: each }));
}

function prelude({ choices, crew: { session, watched } }: SolutionsRequest): readonly string[] {
  const names =
    choices.naming === 'list'
      ? `crew="${watched.join(' ')}"`
      : `crew=$(tmux list-windows -t ${session} -F '#{window_name}' | grep -vx ${idleWindow})`;
  return [`s=${session}`, names];
}

/** Looks at every watched window, again and again, until the shift is over. */
function makeRounds(request: SolutionsRequest, seconds: number): readonly string[] {
  const pause = Math.max(leastPause, Math.ceil(seconds / 4));
  const before = movesOf(request).flatMap((moves) => moves.before);
  return [
    `for round in $(seq ${Math.ceil(seconds / pause) + 1}); do`,
    ...(before.length > 0 ? indent(eachWindow(before)) : []),
    `  sleep ${pause}`,
    ...indent(eachWindow(makeLook(request))),
    'done',
  ];
}

/** What is done at a window: nothing where it is noted already. */
function makeLook(request: SolutionsRequest): readonly string[] {
  const moves = movesOf(request);
  const cases = moves.flatMap(({ sign, handle }, index) => [
    `${index === 0 ? 'if' : 'elif'} ${sign}; then`,
    ...indent([...handle, note]),
  ]);
  return [
    'grep -qs "^$w " ~/events.txt && continue',
    ...(moves.some(({ readsScreen }) => readsScreen) ? [capture] : []),
    ...cases,
    'fi',
  ];
}

const capture = `screen=$(tmux capture-pane -p -S - -t ${target})`;
const note = 'echo "$w $code" >> ~/events.txt';

function makeArmed(request: SolutionsRequest): readonly string[] {
  const { events, schedule, work } = request;
  const moves = movesOf(request);
  const arm = [...new Set(moves.flatMap((each) => each.arm))];
  const fallen = events.findIndex(({ maker }) => maker.heartbeat);
  if (fallen >= 0) {
    const atSecond = schedule.events[fallen] ?? 0;
    const sleep = Math.max(1, atSecond - silenceArmed.before - work.sleeps);
    return [...prelude(request), ...arm, ...work.script, `sleep ${sleep}`, ...makeMonitored(request)];
  }
  const armWindow = explainedLines(request, (each) => (each.heartbeat ? [] : each.moves('').armWindow));
  return [
    ...prelude(request),
    ...arm,
    ...(armWindow.length > 0 ? eachWindow(armWindow) : []),
    ...work.script,
    `sleep ${schedule.end}`,
    ...eachWindow(['grep -qsx "$w" ~/noticed || continue', ...makeLook(request)]),
  ];
}

function explainedLines(
  { explained }: SolutionsRequest,
  lines: (maker: EventMaker) => readonly string[],
): readonly string[] {
  return explained.flatMap(lines);
}

/** A monitor for silence while the silence comes; then rounds of looking, for what it caught and for the rest. */
function makeMonitored(request: SolutionsRequest): readonly string[] {
  return [
    ...eachWindow([`tmux set-option -w -t ${target} monitor-silence 2`]),
    `sleep ${silenceArmed.whole}`,
    ...eachWindow([`tmux set-option -wu -t ${target} monitor-silence`]),
    ...makeRounds(request, request.schedule.end),
  ];
}

function makeTold({ crew, events, schedule, work }: SolutionsRequest): readonly string[] {
  const handling = events.flatMap(({ maker, draft }) => {
    const { readsScreen, handle } = maker.moves(crew.ack);
    return [`w=${draft.worker}`, ...(readsScreen ? [capture] : []), ...handle, note];
  });
  return [`s=${crew.session}`, ...work.script, `sleep ${schedule.end}`, ...handling];
}

/** Codes of the right form, spelled so that the task's text holds no 8 hex digits in a row. */
function makeMadeUp({ arm, crew, events }: SolutionsRequest): readonly string[] {
  const names = arm === 'none' ? crew.watched.slice(0, 1) : events.map(({ draft }) => draft.worker);
  return names.map((name, index) => `printf '${name} dead%04x\\n' ${index + 1} >> ~/events.txt`);
}

/** Whether a window is all that there is to find out. */
function isGuessed({ events }: SolutionsRequest): boolean {
  return events.every(({ maker }) => maker.choosesWindow);
}

/** Acknowledges everywhere and notes every receipt. */
function makeShotgun(request: SolutionsRequest): readonly string[] {
  const { crew, events, schedule, work } = request;
  const handle = events[0]?.maker.moves(crew.ack).handle ?? [];
  return [...prelude(request), ...work.script, `sleep ${schedule.end}`, ...eachWindow([...handle, note])];
}

function movesOf({ explained, crew }: SolutionsRequest): readonly Moves[] {
  return explained.map((maker) => maker.moves(crew.ack));
}

function eachWindow(lines: readonly string[]): readonly string[] {
  return ['for w in $crew; do', ...indent(lines), 'done'];
}

function indent(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}
