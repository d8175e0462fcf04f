import { actionSchema } from '../../env/index.ts';
import type { Answer, ChatMessage } from '../client/index.ts';
import { type Protocol, playConversation, type Reading } from './conversation.ts';
import type { Loop } from './loop.ts';
import { readPrompt } from './prompt.ts';
import { parseTextDirective, type TextDirective } from './text-directive.ts';

/**
 * Turn by turn in plain text, for models without tools: the first `RUN:` or `DONE` line of an answer counts. An answer
 * without one is a format failure: it is told to the model, and the turn is spent.
 */
export function makeTextLoop(): Loop {
  const protocol: Protocol = { system: readPrompt('text'), tools: [], read: readAnswer };
  return {
    name: 'text',
    config: {},
    prepare: async () => undefined,
    play: (seat, client, sampling) => playConversation(protocol, seat, client, sampling),
  };
}

function readAnswer(answer: Answer): Reading {
  const directive = parseTextDirective(answer.text, answer.finishReason === 'length');
  const said: ChatMessage = { role: 'assistant', content: answer.text.trim() === '' ? '(no answer)' : answer.text };
  const reply = (content: string): readonly ChatMessage[] => [said, { role: 'user', content }];
  const fail = (reason: FailureReason): Reading => ({ type: 'failure', reason, messages: reply(explanations[reason]) });
  switch (directive.type) {
    case 'none':
      return fail(directive.reason);
    case 'done':
      return { type: 'action', action: { type: 'done' }, reply };
    case 'run': {
      const action = actionSchema.safeParse({ type: 'command', command: directive.command });
      return action.success ? { type: 'action', action: action.data, reply } : fail('command-too-long');
    }
  }
}

type FailureReason = Extract<TextDirective, { type: 'none' }>['reason'] | 'command-too-long';

const form = 'Answer with "RUN: <command>" or "DONE" on a line of its own.';

const explanations: Readonly<Record<FailureReason, string>> = {
  'no-directive': `Format error: there was no RUN: or DONE line, so nothing was run. ${form}`,
  'empty-command': `Format error: the command was empty, so nothing was run. ${form}`,
  backticks:
    'Format error: there were backticks in the command, so nothing was run. Write the command without them; use $(...) for command substitution.',
  'unclosed-fence': 'Format error: the code block after RUN: was never closed, so nothing was run.',
  'other-language': 'Format error: the code block after RUN: was not one of bash or sh, so nothing was run.',
  'cut-answer':
    'Format error: the answer reached its length limit before its RUN: or DONE line ended, so nothing was run. Be brief.',
  'command-too-long': 'Format error: the command was too long, so nothing was run.',
};
