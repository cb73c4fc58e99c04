import { getEventListeners } from 'node:events';
import { type ClientOptions, Worktrack } from 'worktrack';
import type { MockServer } from 'worktrack/mock-server';
import { collectGarbage, type Sample } from './growth.js';
import { lap, type Runner } from './lap.js';

/** How long a run is, and how often it is looked at. */
export interface Course {
  requests: number;
  samples: number;
}

/** What a run showed. */
export interface Endured {
  samples: Sample[];
  tally: Runner['tally'];
  /** What Node.js warned of, such as too many listeners on one signal. */
  warnings: string[];
  seconds: number;
}

/** Sends many requests with one client to one server, and measures on the way what the process holds. */
export async function endure(
  mock: MockServer,
  options: ClientOptions,
  { requests, samples: count }: Course,
): Promise<Endured> {
  let sent = 0;
  const { fetch = globalThis.fetch, token } = options;
  const client = new Worktrack({
    ...options,
    token: async () => token as string,
    retry: { maxDelay: 0 },
    budget: { concurrency: 8 },
    hooks: { request: () => {}, error: () => {} },
    fetch(input, init) {
      sent++;
      return fetch(input, init);
    },
  });
  const { signal } = new AbortController();
  const runner: Runner = { mock, client, signal, tally: new Map() };
  const samples: Sample[] = [];
  const warnings: string[] = [];
  const warned = ({ message }: Error) => warnings.push(message);
  process.on('warning', warned);
  const begun = performance.now();
  try {
    while (samples.length < count) {
      const goal = (requests * (samples.length + 1)) / count;
      while (sent < goal) await lap(runner);
      samples.push(await take(sent, runner));
    }
  } finally {
    process.off('warning', warned);
  }
  return { samples, tally: runner.tally, warnings, seconds: (performance.now() - begun) / 1000 };
}

async function take(requests: number, { mock, signal }: Runner): Promise<Sample> {
  await collectGarbage();
  return {
    requests,
    heap: process.memoryUsage().heapUsed,
    journal: mock.requests.length,
    listeners: getEventListeners(signal, 'abort').length,
    handles: process.getActiveResourcesInfo().length,
  };
}
