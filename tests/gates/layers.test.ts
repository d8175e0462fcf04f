import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject, type Project, root } from './project.ts';

interface Rule {
  readonly name: string;
}
interface Report {
  readonly summary: { readonly violations: readonly { readonly from: string; readonly rule: Rule }[] };
}

const config = (await import(pathToFileURL(join(root, '.dependency-cruiser.mjs')).href)) as {
  readonly default: { readonly forbidden: readonly Rule[] };
};
const rules = config.default.forbidden.map(({ name }) => name);
const layers = ['env', 'generator', 'rollout', 'trainer-bridge', 'scripts'];
const rooms = rules
  .filter((name) => name.startsWith('room-') && name !== 'room-doors-only')
  .map((name) => name.slice(5));

/** For each rule one file that breaks it: rule → path and what that path imports. */
const planted: Readonly<Record<string, readonly [string, string]>> = {
  ...Object.fromEntries(
    layers
      .slice(0, -1)
      .map((layer, index) => [`layer-${layer}`, [`${layer}/up.ts`, `../${layers[index + 1]}/index.ts`]]),
  ),
  ...Object.fromEntries(rooms.map((room) => [`room-${room}`, [`env/${room}/up.ts`, '../episode/index.ts']])),
  'no-circular': ['env/task/ring-back.ts', './ring.ts'],
  'doors-only': ['rollout/window.ts', '../env/task/inner.ts'],
  'room-doors-only': ['env/episode/window.ts', '../task/inner.ts'],
  'wire-only-in-trainer-bridge': ['scripts/wire.ts', 'zeromq'],
  'arrow-only-in-rollout': ['trainer-bridge/arrow.ts', 'apache-arrow'],
  'scripts-are-leaves': ['env/leaf.ts', '../scripts/index.ts'],
};

describe('dependency-cruiser', () => {
  let project: Project;
  let violations: Report['summary']['violations'];

  beforeAll(async () => {
    project = await createProject(['.dependency-cruiser.mjs', 'tsconfig.json', 'package.json']);
    const doors = [...layers, ...[...rooms, 'episode'].map((room) => `env/${room}`)];
    for (const door of doors) await project.write(`${door}/index.ts`, 'export const door = 1;\n');
    await project.write('env/task/inner.ts', 'export const inner = 1;\n');
    await project.write('env/task/ring.ts', "export { ring } from './ring-back.ts';\n");
    await project.write('rollout/sound.ts', "import '../env/index.ts';\n");
    await project.write('env/episode/sound.ts', "import '../task/index.ts';\n");
    for (const [path, target] of Object.values(planted)) {
      await project.write(path, `import '${target}';\nexport const ring = 1;\n`);
    }
    const { stdout } = await project.run('depcruise', '--output-type', 'json', ...layers);
    violations = (JSON.parse(stdout) as Report).summary.violations;
  });
  afterAll(async () => project[Symbol.asyncDispose]());

  test('dependency-cruiser stays green, when an import goes down through a door', () => {
    expect(violations.filter(({ from }) => from.endsWith('sound.ts'))).toEqual([]);
  });

  test.each(rules)('dependency-cruiser turns red, when %s is violated', (rule) => {
    const path = planted[rule]?.[0];
    expect(path, 'each rule has a planted violation').toBeDefined();
    expect(violations.filter(({ from }) => from === path).map((violation) => violation.rule.name)).toContain(rule);
  });
});
