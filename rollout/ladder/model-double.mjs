// A double of a model server, for tests and benchmarks: speaks the OpenAI protocol as vLLM does, over no model at all.
// usage: node model-double.mjs --port N [--name M] [--latency MS] [--fail] [--wrong]
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    name: { type: 'string', default: 'double' },
    latency: { type: 'string', default: '0' },
    /** Ends with an error, as a server does whose weights are missing. */
    fail: { type: 'boolean', default: false },
    /** Answers without solving anything. */
    wrong: { type: 'boolean', default: false },
  },
});

if (values.fail) {
  console.log('double: loading weights');
  console.error('RuntimeError: the double cannot load its weights');
  process.exit(1);
}

/** Milliseconds in which at least one answer was under way, between the first request and the last answer. */
const use = { running: 0, since: 0, busyMs: 0, first: 0, last: 0, answers: 0 };

function begin() {
  const now = performance.now();
  use.first ||= now;
  if (use.running++ === 0) use.since = now;
}

function end() {
  use.last = performance.now();
  use.answers += 1;
  if (--use.running === 0) use.busyMs += use.last - use.since;
}

/** Right for depth 0 of the cliff: the report is the content of the one file that the prompt names. */
function answer(prompt) {
  if (values.wrong) return '```bash\ntrue\n```';
  return `\`\`\`bash\ncat ${/\b\S+\.txt\b/.exec(prompt)?.[0]} > "$REPORT"\n\`\`\``;
}

async function complete(request, response) {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { messages } = JSON.parse(body);
  const probe = messages.length === 1; // a client's first request is no part of the use
  if (!probe) begin();
  const text = answer(String(messages.at(-1)?.content));
  setTimeout(() => {
    if (!probe) end();
    const usage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 };
    send(response, 200, {
      id: 'double',
      object: 'chat.completion',
      model: values.name,
      usage,
      prompt_token_ids: [1, 2, 3],
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: text },
          finish_reason: 'stop',
          token_ids: [4, 5],
          logprobs: {
            content: [
              { token: 'a', logprob: -0.5 },
              { token: 'b', logprob: -1 },
            ],
          },
        },
      ],
    });
  }, Number(values.latency));
}

function send(response, status, value) {
  const text = typeof value === 'string';
  response.writeHead(status, { 'content-type': text ? 'text/plain' : 'application/json' });
  response.end(text ? value : JSON.stringify(value));
}

const server = createServer((request, response) => {
  if (request.url === '/health') send(response, 200, 'ok');
  else if (request.url === '/v1/models') send(response, 200, { data: [{ id: values.name, owned_by: 'vllm' }] });
  else if (request.url === '/metrics') {
    send(response, 200, `vllm:num_requests_running{engine="0"} ${use.running}\n`);
  } else if (request.url === '/double') send(response, 200, use);
  else if (request.url === '/v1/chat/completions' && request.method === 'POST') void complete(request, response);
  else send(response, 404, {});
});
server.listen(Number(values.port), '127.0.0.1', () =>
  console.log(`double: ${values.name} on port ${server.address().port}`),
);
process.once('SIGTERM', () => process.exit(0));
