import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { z } from 'zod';
import { type Action, actionSchema } from '../../env/index.ts';
import type { ToolCall, ToolDefinition } from '../client/index.ts';

/** The action of a call, or what is wrong with it. */
export type CallReading = { readonly type: 'action'; readonly action: Action } | CallFailure;

interface CallFailure {
  readonly type: 'failure';
  readonly reason: 'unknown-tool' | 'bad-json' | 'bad-arguments' | 'empty-command' | 'command-too-long';
  /** In words for the model. */
  readonly message: string;
  /** Whether the arguments are a JSON object, so that the call may stand in a conversation. */
  readonly speakable: boolean;
}

const command = z.strictObject({
  command: z.string().describe('A command line, run by bash in a fresh shell in your home directory.'),
});
const keys = z.strictObject({
  target: z.string().describe('A pane as tmux names it, such as "main:2" or "%3".'),
  keys: z.array(z.string()).describe('Each as tmux send-keys takes it, such as "ls" or "Enter" or "C-c".'),
});
const wait = z.strictObject({
  ticks: z.int().describe('How long to wait, in ticks of one second.'),
});
const done = z.strictObject({});

interface Tool {
  readonly description: string;
  readonly parameters: z.ZodType;
}

const tools: Readonly<Record<string, Tool>> = {
  command: { description: 'Runs a command and gives its output and exit code.', parameters: command },
  keys: { description: 'Sends keys to a tmux pane.', parameters: keys },
  wait: { description: 'Lets time pass.', parameters: wait },
  done: { description: 'Says that the task is finished.', parameters: done },
};

/** The tools of the `tool` loop, one for each kind of action. */
export const toolDefinitions: readonly ToolDefinition[] = Object.entries(tools).map(
  ([name, { description, parameters }]) => {
    const { $schema: _, ...schema } = z.toJSONSchema(parameters);
    return { name, description, parameters: schema };
  },
);

/**
 * Reads a call strictly: its arguments must be one JSON object of exactly the right form. Nothing is mended or guessed,
 * so what runs is what the model wrote.
 */
export function readToolCall({ name, arguments: text }: ToolCall): CallReading {
  const json = parseObject(text);
  if (json.type === 'failure') return json;
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (tool === undefined) {
    const names = Object.keys(tools).join(', ');
    return failure('unknown-tool', `there is no tool "${name}"; there are ${names}`);
  }
  const parsed = tool.parameters.safeParse(json.value);
  if (!parsed.success) return failure('bad-arguments', describeIssues(parsed.error));
  return makeAction(name, json.value);
}

/** Where the object of the arguments is; an empty text stands for no arguments, as some models write them. */
function parseObject(text: string): CallFailure | { readonly type: 'object'; readonly value: object } {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { type: 'object', value };
    return { ...failure('bad-arguments', 'the arguments are no JSON object'), speakable: false };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ...failure('bad-json', describePlace(text)), speakable: false };
  }
}

/** Where strict JSON ends; the message of JSON.parse names no position for short texts. */
function describePlace(text: string): string {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  const offset = first?.offset ?? text.length;
  const before = text.slice(0, offset).split('\n');
  const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  const what = first === undefined ? 'it is no JSON' : printParseErrorCode(first.error);
  return `the arguments are no valid JSON: ${what} at ${place} (character ${offset + 1} of ${text.length})`;
}

function makeAction(name: string, value: object): CallReading {
  if ('command' in value && typeof value.command === 'string' && value.command.trim() === '') {
    return failure('empty-command', 'the command is empty');
  }
  const action = actionSchema.safeParse({ type: name, ...value });
  if (action.success) return { type: 'action', action: action.data };
  const reason = name === 'command' ? 'command-too-long' : 'bad-arguments';
  return failure(reason, describeIssues(action.error));
}

function describeIssues(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => [...path.map(String), message].join(': ')).join('; ');
}

function failure(reason: CallFailure['reason'], message: string): CallFailure {
  return { type: 'failure', reason, message, speakable: true };
}
