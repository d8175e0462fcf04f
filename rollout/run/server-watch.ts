/** Looks at a model server's metrics while a run goes on. */
export interface ServerWatch extends Disposable {
  /** Share of looks that found no running request; null where the server shows none of vLLM's metrics. */
  readonly idleShare: number | null;
}

const periodMs = 500;

/** Begins to watch the server of a `/v1` address. A server without `/metrics` of vLLM is asked once only. */
export function watchServer(baseUrl: string | undefined): ServerWatch {
  let looks = 0;
  let idle = 0;
  let asking = false;
  const look = async (url: URL) => {
    asking = true;
    const running = await readRunning(url);
    asking = false;
    if (running === null) {
      // Not a server with such a metric; one that had it may only be busy.
      if (looks === 0) clearInterval(timer);
      return;
    }
    looks += 1;
    if (running === 0) idle += 1;
  };
  const url = baseUrl !== undefined && URL.canParse(baseUrl) ? new URL('/metrics', baseUrl) : null;
  const timer = setInterval(() => {
    if (url !== null && !asking) void look(url);
  }, periodMs);
  timer.unref();
  return {
    get idleShare() {
      return looks === 0 ? null : idle / looks;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** Null where the server cannot be asked or knows no such metric. */
async function readRunning(url: URL): Promise<number | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    const text = await response.text();
    return response.ok ? parseRunning(text) : null;
  } catch (error) {
    if (error instanceof TypeError || (error as Error).name === 'TimeoutError') return null;
    throw error;
  }
}

/** The running requests of all engines, from the metrics of vLLM; null where there are none. */
export function parseRunning(metrics: string): number | null {
  const lines = [...metrics.matchAll(/^vllm:num_requests_running(?:\{[^\n]*\})? ([0-9.eE+-]+)$/gm)];
  return lines.length === 0 ? null : lines.reduce((sum, [, value]) => sum + Number(value), 0);
}
