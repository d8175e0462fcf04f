import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { packageRoot } from '../../env/index.ts';
import { readLadder } from './index.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muxgym-ladder-'));
  path = join(folder, 'ladder.toml');
});
afterEach(() => rmSync(folder, { recursive: true }));

const read = (text: string) => {
  writeFileSync(path, text);
  return readLadder(path);
};
const sweep = '[[sweeps]]\nname = "cliff"\n';

describe('readLadder()', () => {
  test('gives every entry the defaults, its own fields winning and its variables added', () => {
    const { models } = read(`[defaults]\ndtype = "bfloat16"\nenv = { A = "1", B = "1" }\n${sweep}
      [[models]]\nname = "small"\nmodel = "./small"\ndtype = "float32"\nenv = { B = "2" }
      [[models]]\nname = "hub"\nmodel = "org/model"\ntensor_parallel = 2`);
    expect(models[0]).toMatchObject({ dtype: 'float32', env: { A: '1', B: '2' }, model: join(folder, 'small') });
    expect(models[1]).toMatchObject({
      dtype: 'bfloat16',
      env: { A: '1', B: '1' },
      model: 'org/model',
      tensor_parallel: 2,
    });
  });

  test.each([
    ['broken TOML', `${sweep}[[models]]\nname = `, ':4:'],
    ['an unknown field', `${sweep}[[models]]\nname = "a"\nmodel = "m"\ndtyp = "x"`, 'dtyp'],
    ['no model', sweep, 'models'],
    ['a name twice', `${sweep}${'[[models]]\nname = "a"\nmodel = "m"\n'.repeat(2)}`, '"a" twice'],
    ['a name that is no folder', `${sweep}[[models]]\nname = "../a"\nmodel = "m"`, 'models.0.name'],
    ['no command', `${sweep}[[models]]\nname = "a"\nmodel = "m"\nserver = "command"`, 'command'],
  ])('throws E_LADDER with the place, when it is given %s', (_, text, place) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 'E_LADDER' }));
    expect(() => read(text)).toThrow(place);
  });

  test('reads every ladder of data/models', () => {
    const models = join(packageRoot(), 'data', 'models');
    const files = readdirSync(models).filter((name) => name.endsWith('.toml'));
    for (const file of files) expect(readLadder(join(models, file)).models.length, file).toBeGreaterThan(1);
    expect(readLadder(join(models, 'qwen2.5.toml')).models.map(({ name }) => name)).toEqual(
      ['0.5B', '1.5B', '3B', '7B', '14B', '32B'].map((size) => `Qwen2.5-${size}-Instruct`),
    );
  });
});
