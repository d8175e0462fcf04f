import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { watchServer } from './server-watch.ts';

test('watchServer() goes on, when a server that showed its metrics fails to once', async () => {
  let looks = 0;
  const server = createServer((_request, response) => {
    looks += 1;
    response.writeHead(looks === 2 ? 503 : 200).end(`vllm:num_requests_running ${looks === 1 ? '1.0' : '0.0'}\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    using watch = watchServer(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
    await expect.poll(() => watch.idleShare, { timeout: 10_000, interval: 20 }).toBe(0.5);
    expect(looks).toBe(3);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
