import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A process's resource usage at one point in time, after garbage collection. */
export interface Sample {
  /** The number of requests that the server has received. */
  requests: number;
  /** The heap usage in bytes. */
  heap: number;
  /** The number of journal entries. */
  journal: number;
  /** The number of listeners on the signal shared by all calls. */
  listeners: number;
  /** The number of timers, sockets, and other resources that keep the process alive. */
  handles: number;
}

/** The limits for each resource. */
export interface Bounds {
  /** Heap growth in bytes per request, measured over the second half of the samples. */
  heap: number;
  journal: number;
  listeners: number;
  handles: number;
}

/** Describes each resource that exceeds its limit. */
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

/** Returns the slope of a linear regression over the heap sizes in the second half of the samples. */
export function bytesPerRequest(samples: readonly Sample[]): number {
  const half = secondHalf(samples);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const x = mean(half.map(({ requests }) => requests));
  const y = mean(half.map(({ heap }) => heap));
  const covariance = mean(half.map(({ requests, heap }) => (requests - x) * (heap - y)));
  return covariance / mean(half.map(({ requests }) => (requests - x) ** 2));
}

/** Drops the first half, because caches fill and code is compiled during that time. */
function secondHalf(samples: readonly Sample[]): readonly Sample[] {
  const half = samples.slice(Math.floor(samples.length / 2));
  if (half.length < 4)
    throw new Error(`${samples.length} samples are too few to distinguish growth from noise`);
  return half;
}

/** Forces garbage collection, even if the process was started without `--expose-gc`. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const gc = globalThis.gc ?? (runInNewContext('gc') as () => void);
  // The second pass collects objects that finalizers released in the first pass.
  for (let pass = 0; pass < 2; pass++) {
    gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
