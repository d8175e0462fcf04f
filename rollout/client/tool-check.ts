import { InputError } from '../../env/index.ts';
import type { Answer, ChatRequest, Completion, ToolDefinition } from './client.ts';
import { refusalStatus } from './start-up.ts';

const tool: ToolDefinition = {
  name: 'ready',
  description: 'Says that you are ready.',
  parameters: { type: 'object', properties: {}, additionalProperties: false },
};

/** Weak models may miss one wording; a server that cannot read calls misses all. */
const questions = [
  'Call the tool "ready" now. Do not answer in words.',
  'Use the function "ready".',
  'Are you ready? Answer by a call of the tool "ready", without arguments.',
];

const flags = '--enable-auto-tool-choice --tool-call-parser NAME';

/**
 * Asks for a call of a tool, so that a server without tools is found before every episode of a run fails on it. Throws
 * an InputError (`E_TOOLS`) where the server refuses, or gives the calls as text, or the model makes none.
 */
export async function checkTools(
  complete: (request: ChatRequest) => Promise<Completion>,
  { where, model, temperature }: { where: string; model: string; temperature: number | null },
): Promise<void> {
  let last: Completion | null = null;
  for (const [seed, content] of questions.entries()) {
    const request = {
      messages: [{ role: 'user', content } as const],
      tools: [tool],
      temperature,
      maxTokens: 512,
      seed,
    };
    try {
      last = await complete(request);
    } catch (error) {
      if (refusalStatus(error) === null) throw error;
      throw toolsError(where, `a refusal for "${model}": ${error instanceof Error ? error.message : ''}`, error);
    }
    if (last.type === 'answer' && last.toolCalls.length > 0) return;
  }
  throw toolsError(where, last?.type === 'answer' ? describe(last) : 'a context too short for one call');
}

function describe({ text }: Answer): string {
  const said = JSON.stringify(text.length > 160 ? `${text.slice(0, 160)}…` : text);
  return looksLikeCall(text) ? `a call that the server did not read, as text: ${said}` : `no call: ${said}`;
}

/** Whether words hold what a server with the right parser would have read as a call. */
export function looksLikeCall(text: string): boolean {
  return /<\|?(?:tool_call|function|python_tag)|\[TOOL_CALLS\]|"name"\s*:\s*"\w+"\s*,\s*"(?:arguments|parameters)"/.test(
    text,
  );
}

function toolsError(where: string, found: string, cause?: unknown): InputError {
  return new InputError({
    code: 'E_TOOLS',
    what: 'The model server cannot be used with tools',
    where,
    expected: 'an answer with a tool call',
    found,
    hint: `start vLLM with ${flags} (hermes for Qwen2.5 Instruct), or choose --loop text`,
    cause,
  });
}
