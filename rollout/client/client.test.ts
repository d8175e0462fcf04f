import { describeClient } from './client.conformance.ts';
import { connectAnthropic, connectFusion, connectOpenAi } from './index.ts';

describeClient({
  name: 'openai',
  vendor: 'openai',
  connect: (baseUrl, options) => connectOpenAi({ baseUrl, ...options }),
});

describeClient({
  name: 'openai, by the wire of OpenRouter',
  vendor: 'openrouter',
  connect: (baseUrl, options) => connectOpenAi({ baseUrl, ...options }),
});

describeClient({
  name: 'anthropic',
  vendor: 'anthropic',
  connect: (baseUrl, options) => connectAnthropic({ baseUrl, ...options }),
});

describeClient({
  name: 'fusion',
  vendor: 'openai',
  requestsPerAnswer: 4,
  streams: [false], // its members are clients of the two wires above
  connect: (baseUrl, { apiKeyEnv, ...options }) => {
    const member = {
      client: 'openai',
      model: 'm',
      ...(apiKeyEnv === undefined ? {} : { api_key_env: apiKeyEnv }),
    } as const;
    const plan = { panel: [member, member], judge: member, synthesizer: member };
    return connectFusion({ baseUrl, preset: { name: 'test', plan, sha256: '' }, ...options });
  },
});
