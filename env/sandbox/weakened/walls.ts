import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativeProgram } from '../../native/index.ts';
import type { Recipe } from '../bubblewrap.ts';
import type { HostPrograms } from '../host-programs.ts';
import type { Weakness } from './weakness.ts';

type Reshape = (recipe: Recipe) => Recipe;

const sharedUid = '109999';

/** The recipe of a sandbox with one wall taken away; the recipe itself where the weakness is no wall. */
export function removeWall(weakness: Weakness, programs: HostPrograms, stateFolder: string): Reshape {
  switch (weakness) {
    case 'no-filter':
      // As a normal user, bubblewrap forbids user namespaces too.
      return (recipe) => unguard({ ...recipe, options: without(recipe.options, '--disable-userns') }, '--no-filter');
    case 'open-launcher':
      return (recipe) => unguard(recipe, '--no-filter', '--dumpable');
    case 'host-network':
      return ({ options, command }) => ({ options: without(options, '--unshare-net'), command });
    case 'writable-programs':
      return writablePrograms(join(stateFolder, 'writable'), programs);
    case 'talking-workers':
      return talkingWorkers(join(stateFolder, 'talking'), programs);
    case 'shared-sockets':
      return sharedSockets(join(stateFolder, 'shared'));
    case 'no-limits':
      return (recipe) => unguard(unlimit(recipe), '--no-limits');
    case 'readable-server':
      chmodSync(join(programs.folder, 'tmux'), 0o755);
      return (recipe) => recipe;
    default:
      return (recipe) => recipe;
  }
}

function without(words: readonly string[], word: string): readonly string[] {
  return words.filter((each) => each !== word);
}

/** The launcher that knows how to go without. */
function unguard({ options, command }: Recipe, ...switches: readonly string[]): Recipe {
  const [program = '', ...words] = command;
  const at = options.indexOf(program) - 1;
  return { options: options.with(at, nativeProgram('launcher-unguarded')), command: [program, ...words, ...switches] };
}

function unlimit({ options, command }: Recipe): Recipe {
  const bounds = ['--terminals', '--files'];
  return {
    options: options.map((word, index) => (options[index - 1] === '--size' ? String(Number(word) * 4) : word)),
    command: command.filter((word, index) => !bounds.includes(word) && !bounds.includes(command[index - 1] ?? '')),
  };
}

/** Everybody's files in the place of the gym's. */
function writablePrograms(folder: string, programs: HostPrograms): Reshape {
  mkdirSync(folder, { mode: 0o755 });
  const copies = new Map(['sleep', 'holder'].map((name) => [join(programs.folder, name), join(folder, name)]));
  for (const [from, to] of copies) {
    copyFileSync(from, to);
    chmodSync(to, 0o777);
  }
  return ({ options, command }) => ({
    options: options.map((word, index) => {
      if (word === '--ro-bind' && copies.has(options[index + 1] ?? '')) return '--bind';
      return copies.get(word) ?? word;
    }),
    command,
  });
}

const talk = `#!/bin/bash
[ -e /tmp/.$1 ] && cat ~/tokens/$1
touch /tmp/.$1
exec -a $0 /opt/holder "$@"
`;

function talkingWorkers(program: string, { holder }: HostPrograms): Reshape {
  writeFileSync(program, talk, { mode: 0o755 });
  return ({ options, command }) => ({
    options: [
      ...options.slice(0, -2).map((word) => (word === holder ? program : word)),
      ...['--ro-bind', holder, '/opt/holder'],
      ...options.slice(-2),
    ],
    command,
  });
}

function sharedSockets(folder: string): Reshape {
  mkdirSync(folder, { mode: 0o755 });
  let count = 0;
  return ({ options, command }) => {
    const name = `ep${count++}`;
    mkdirSync(join(folder, name));
    chmodSync(join(folder, name), 0o777);
    const shared = ['--bind', folder, '/srv', '--setenv', 'TMUX_TMPDIR', `/srv/${name}`];
    return {
      // Before the last option, which makes the root read-only.
      options: [...options.slice(0, -2), ...shared, ...options.slice(-2)],
      command: command.map((word, index) => (command[index - 1] === '--uid' ? sharedUid : word)),
    };
  };
}
