import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The resources of a process at one moment, after garbage collection. */
export interface Sample {
  /** Requests that the server has received. */
  requests: number;
  /** Bytes. */
  heap: number;
  /** Entries of the journal. */
  journal: number;
  /** Listeners on the signal that all calls share. */
  listeners: number;
  /** Timers, sockets, and everything else that keeps a process alive. */
  handles: number;
}

/** The maximum growth. */
export interface Bounds {
  /** Bytes of heap per request: the slope of a line through the second half of the samples. */
  heap: number;
  journal: number;
  listeners: number;
  handles: number;
}

/** Describes each resource that exceeds its bound. */
export function growth(samples: readonly Sample[], bounds: Bounds): string[] {
  const slope = bytesPerRequest(samples);
  return [
    ...(slope > bounds.heap
      ? [`the heap grows by ${slope.toFixed(2)} bytes per request, more than ${bounds.heap}`]
      : []),
    ...(['journal', 'listeners', 'handles'] as const).flatMap((name) => {
      const highest = Math.max(...samples.map((sample) => sample[name]));
      return highest > bounds[name] ? [`${name}: ${highest}, more than ${bounds[name]}`] : [];
    }),
  ];
}

/** The slope of the regression line through the heap sizes in the second half. */
export function bytesPerRequest(samples: readonly Sample[]): number {
  const half = secondHalf(samples);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const x = mean(half.map(({ requests }) => requests));
  const y = mean(half.map(({ heap }) => heap));
  const covariance = mean(half.map(({ requests, heap }) => (requests - x) * (heap - y)));
  return covariance / mean(half.map(({ requests }) => (requests - x) ** 2));
}

/** Ignores the first half, in which caches fill and code is compiled. */
function secondHalf(samples: readonly Sample[]): readonly Sample[] {
  const half = samples.slice(Math.floor(samples.length / 2));
  if (half.length < 4)
    throw new Error(`${samples.length} samples are too few to distinguish growth from noise`);
  return half;
}

/** Collects the garbage, whether or not the process was started with `--expose-gc`. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const gc = globalThis.gc ?? (runInNewContext('gc') as () => void);
  // Objects that finalizers release in the first pass are collected in the second.
  for (let pass = 0; pass < 2; pass++) {
    gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
