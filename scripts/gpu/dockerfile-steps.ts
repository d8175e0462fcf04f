import { Arg, Copy, DockerfileParser, Env, From, type Instruction } from 'dockerfile-ast';
import { z } from 'zod';
import { InputError } from '../../env/index.ts';

/** One instruction of a Dockerfile, as far as executing it without Docker needs it. `line` counts from 1. */
export type DockerfileStep = { readonly line: number } & (
  | { readonly type: 'from'; readonly base: string; readonly stage: string }
  | { readonly type: 'arg' | 'env'; readonly name: string; readonly value: string }
  | { readonly type: 'workdir'; readonly path: string }
  | { readonly type: 'copy'; readonly from: string | null; readonly paths: readonly string[] }
  /** `group` is the word of a comment `# group: WORD` right above. */
  | { readonly type: 'run'; readonly group: string | null; readonly script: string }
  | { readonly type: 'shell' | 'healthcheck' | 'entrypoint' | 'cmd'; readonly words: readonly string[] }
);

/** Reads the instructions in order. Throws an InputError (`E_DOCKERFILE`) for one that is not known here. */
export function readDockerfileSteps(text: string, path: string): readonly DockerfileStep[] {
  const file = DockerfileParser.parse(text);
  const groups = new Map(
    file.getComments().map((comment) => {
      const word = /^group: (\S+)$/.exec(comment.getContent() ?? '')?.[1];
      return [comment.getRange().start.line, word ?? null];
    }),
  );
  return file.getInstructions().flatMap((instruction) => {
    const { line } = instruction.getRange().start;
    return readStep(instruction, groups.get(line - 1) ?? null, `${path}:${line + 1}`);
  });
}

function readStep(instruction: Instruction, group: string | null, where: string): readonly DockerfileStep[] {
  const line = instruction.getRange().start.line + 1;
  const keyword = instruction.getKeyword();
  if (instruction instanceof From) {
    return [{ line, type: 'from', base: instruction.getImage() ?? '', stage: instruction.getBuildStage() ?? '' }];
  }
  if (instruction instanceof Copy) {
    const paths = instruction.getArguments().map((argument) => argument.getValue());
    return [{ line, type: 'copy', from: instruction.getFromFlag()?.getValue() ?? null, paths }];
  }
  if (instruction instanceof Env || instruction instanceof Arg) {
    const type = instruction instanceof Env ? 'env' : 'arg';
    return instruction
      .getProperties()
      .map((property) => ({ line, type, name: property.getName(), value: property.getValue() ?? '' }));
  }
  if (keyword === 'WORKDIR') return [{ line, type: 'workdir', path: instruction.getArgumentsContent() ?? '' }];
  if (keyword === 'RUN') return [{ line, type: 'run', group, script: instruction.getArgumentsContent() ?? '' }];
  return [readWords(instruction, line, where)];
}

const commands: Readonly<Record<string, 'shell' | 'healthcheck' | 'entrypoint' | 'cmd'>> = {
  ...{ SHELL: 'shell', HEALTHCHECK: 'healthcheck', ENTRYPOINT: 'entrypoint', CMD: 'cmd' },
};

function readWords(instruction: Instruction, line: number, where: string): DockerfileStep {
  const type = commands[instruction.getKeyword()];
  const list = (instruction.getArgumentsContent() ?? '').replace(/^CMD /, '');
  if (type === undefined || !list.startsWith('[')) throw unknown(instruction.getKeyword(), where);
  return { line, type, words: z.array(z.string()).parse(JSON.parse(list)) };
}

function unknown(keyword: string, where: string): InputError {
  const expected = 'FROM, SHELL, ARG, ENV, WORKDIR, COPY, RUN, HEALTHCHECK, ENTRYPOINT or CMD, lists in JSON';
  return new InputError({ code: 'E_DOCKERFILE', what: 'Cannot execute a Dockerfile', where, expected, found: keyword });
}

/** Each step as a line of words quoted for sh: `step_TYPE LINE …`, lists and an absent word last or empty. */
export function formatSteps(steps: readonly DockerfileStep[]): string {
  return steps.map((step) => `${formatStep(step)}\n`).join('');
}

function formatStep(step: DockerfileStep): string {
  const line = (...words: readonly string[]) => [`step_${step.type}`, String(step.line), ...words.map(quote)].join(' ');
  switch (step.type) {
    case 'from':
      return line(step.base, step.stage);
    case 'arg':
    case 'env':
      return line(step.name, step.value);
    case 'workdir':
      return line(step.path);
    case 'copy':
      return line(step.from ?? '', ...step.paths);
    case 'run':
      return line(step.group ?? '', step.script);
    case 'shell':
    case 'healthcheck':
    case 'entrypoint':
    case 'cmd':
      return line(...step.words);
  }
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
