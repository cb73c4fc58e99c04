import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What a process holds at one moment, the garbage collected. */
export interface Sample {
  /** Requests that the server has had. */
  requests: number;
  /** Bytes. */
  heap: number;
  /** Entries of the journal. */
  journal: number;
  /** Listeners on the signal that all calls share. */
  listeners: number;
  /** Timers, sockets and all else that keeps a process alive. */
  handles: number;
}

/** The most there may be. */
export interface Bounds {
  /** Bytes of heap a request, by a straight line through the second half of the samples. */
  heap: number;
  journal: number;
  listeners: number;
  handles: number;
}

/** What is more than it may be, in words; nothing where all is well. */
export function growth(samples: readonly Sample[], bounds: Bounds): string[] {
  const slope = bytesARequest(samples);
  return [
    ...(slope > bounds.heap
      ? [`the heap grows by ${slope.toFixed(2)} bytes a request, more than ${bounds.heap}`]
      : []),
    ...(['journal', 'listeners', 'handles'] as const).flatMap((name) => {
      const most = Math.max(...samples.map((sample) => sample[name]));
      return most > bounds[name] ? [`${name}: ${most}, more than ${bounds[name]}`] : [];
    }),
  ];
}

/** The slope of the straight line that lies nearest to the heap's sizes in the second half. */
export function bytesARequest(samples: readonly Sample[]): number {
  const half = secondHalf(samples);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const x = mean(half.map(({ requests }) => requests));
  const y = mean(half.map(({ heap }) => heap));
  const covariance = mean(half.map(({ requests, heap }) => (requests - x) * (heap - y)));
  return covariance / mean(half.map(({ requests }) => (requests - x) ** 2));
}

/** Until half-way caches fill and the compiler learns. */
function secondHalf(samples: readonly Sample[]): readonly Sample[] {
  const half = samples.slice(Math.floor(samples.length / 2));
  if (half.length < 4) throw new Error(`${samples.length} samples are too few to tell growth from chance`);
  return half;
}

/** Collects the garbage, whether or not the process was started with `--expose-gc`. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const gc = globalThis.gc ?? (runInNewContext('gc') as () => void);
  // What a finalizer lets go of in the first pass goes in the second.
  for (let pass = 0; pass < 2; pass++) {
    gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
