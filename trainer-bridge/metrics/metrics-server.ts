import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import { cannotBind, formatHostPort, isLoopback, parseHostPort, refuseOpenAddress } from '../address/index.ts';

/** Answers `GET /metrics` on a loopback address, for a Prometheus on this machine. */
export class MetricsServer implements AsyncDisposable {
  /** `HOST:PORT`, with the port that was picked. */
  readonly address: string;
  readonly #server: Server;

  private constructor(server: Server, address: string) {
    this.#server = server;
    this.address = address;
  }

  /** Throws `E_BIND` for an address beyond loopback, or one that is taken. */
  static async start(registry: Registry, address: string): Promise<MetricsServer> {
    const { host, port } = parseHostPort(address);
    if (!isLoopback(host)) throw refuseOpenAddress(address, 'a proxy of your own in front of one');
    const server = createServer((request, response) => {
      if (request.url === '/metrics') void answer(registry, response);
      else response.writeHead(404).end('see /metrics\n');
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(cannotBind(address, error)));
      server.listen(port, host, resolve);
    });
    const bound = server.address();
    const picked = bound !== null && typeof bound === 'object' ? bound.port : port;
    return new MetricsServer(server, formatHostPort({ host, port: picked }));
  }

  /** Cuts open connections. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

async function answer(registry: Registry, response: ServerResponse): Promise<void> {
  try {
    const body = await registry.metrics();
    response.writeHead(200, { 'content-type': registry.contentType }).end(body);
  } catch (error) {
    response.writeHead(500).end(error instanceof Error ? `${error.message}\n` : 'failed\n');
  }
}
