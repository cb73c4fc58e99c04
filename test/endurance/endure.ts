import { getEventListeners } from 'node:events';
import { type ClientOptions, Worktrack } from 'worktrack';
import type { MockServer } from 'worktrack/mock-server';
import { collectGarbage, type Sample } from './growth.js';
import { type Runner, runLap } from './lap.js';

/** The number of requests and samples in a run. */
export interface EnduranceOptions {
  requests: number;
  samples: number;
}

export interface EnduranceResult {
  samples: Sample[];
  tally: Runner['tally'];
  /** Node.js warnings, for example about too many listeners on a signal. */
  warnings: string[];
  seconds: number;
}

/** Sends many requests from one client to one server and samples the process's resources. */
export async function runEndurance(
  mock: MockServer,
  options: ClientOptions,
  { requests, samples: count }: EnduranceOptions,
): Promise<EnduranceResult> {
  let sent = 0;
  const { fetch = globalThis.fetch, token } = options;
  const client = new Worktrack({
    ...options,
    token: async () => token as string,
    retry: { maxDelay: 0 },
    throttle: { concurrency: 8 },
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
  const onWarning = ({ message }: Error) => warnings.push(message);
  process.on('warning', onWarning);
  const started = performance.now();
  try {
    while (samples.length < count) {
      const goal = (requests * (samples.length + 1)) / count;
      while (sent < goal) await runLap(runner);
      samples.push(await takeSample(sent, runner));
    }
  } finally {
    process.off('warning', onWarning);
  }
  return { samples, tally: runner.tally, warnings, seconds: (performance.now() - started) / 1000 };
}

async function takeSample(requests: number, { mock, signal }: Runner): Promise<Sample> {
  await collectGarbage();
  return {
    requests,
    heap: process.memoryUsage().heapUsed,
    journal: mock.requests.length,
    listeners: getEventListeners(signal, 'abort').length,
    handles: process.getActiveResourcesInfo().length,
  };
}
