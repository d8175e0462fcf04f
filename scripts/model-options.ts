import { type Command, Option } from 'commander';
import { loopNames, type ModelOptions, type ServerKind, serverKinds } from '../rollout/index.ts';
import { numberOption, parseNumber } from './number-option.ts';
import { countParser } from './task-options.ts';

/** The flags of a policy that asks a model, as typed. */
export interface ModelFlags {
  readonly model?: string;
  readonly baseUrl?: string;
  readonly checkpoint?: string;
  readonly server?: ServerKind;
  readonly preset?: string;
  readonly apiKeyEnv?: string;
  readonly loop?: string;
  readonly scaffold?: string;
  /** Null for the word `default`. */
  readonly temperature?: number | null;
  readonly answerTokens?: number;
  readonly requestTimeout?: number;
  readonly stream?: true;
}

export function addModelOptions(command: Command): Command {
  return command
    .option('--model <name>', 'the model, as the server names it (default: the only one it lists)')
    .option('--base-url <url>', 'of the model server (default: OPENAI_BASE_URL, or ANTHROPIC_BASE_URL)')
    .option('--checkpoint <folder>', 'serve this checkpoint for the time of the run, instead of --base-url')
    .addOption(new Option('--server <name>', 'what serves --checkpoint (default: transformers)').choices(serverKinds))
    .option('--preset <name>', 'of --policy fusion: a name in data/fusion, or a file')
    .option('--api-key-env <name>', 'environment variable with the key (default: OPENAI_API_KEY, or ANTHROPIC_API_KEY)')
    .option('--loop <name>', `how answers become actions: ${loopNames.join(', ')} (default: script)`)
    .option('--scaffold <command>', 'of --loop scaffold: the program that plays, a command line for sh')
    .addOption(
      new Option(
        '--temperature <number>',
        '0 is greedy, "default" leaves it to the server (default: 0; for anthropic and fusion "default")',
      ).argParser(parseTemperature),
    )
    .addOption(
      new Option('--answer-tokens <count>', 'of one answer, at most (default: 1024)').argParser(
        countParser('--answer-tokens'),
      ),
    )
    .addOption(
      numberOption('--request-timeout <seconds>', 'of one request with its repeats (default: 600)', { min: 0.001 }),
    )
    .option('--stream', 'ask for answers piece by piece');
}

function parseTemperature(word: string): number | null {
  return word === 'default' ? null : parseNumber(word, '--temperature', { min: 0, max: 2 });
}

export function pickModelOptions(flags: ModelFlags): ModelOptions {
  const { baseUrl, checkpoint, server, model, preset, apiKeyEnv, loop, scaffold, temperature, stream } = flags;
  return {
    baseUrl,
    checkpoint,
    server,
    model,
    preset,
    apiKeyEnv,
    loop,
    scaffold,
    temperature,
    stream,
    maxTokens: flags.answerTokens,
    requestTimeoutMs: flags.requestTimeout === undefined ? undefined : flags.requestTimeout * 1_000,
  };
}
