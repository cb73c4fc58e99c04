import type { Cancellation } from '../transport.js';
import { onAbort } from './on-abort.js';
import { longestTimer } from './time-limit.js';

/**
 * Settles with the promise's result, or rejects with the source's reason if the source aborts first. Use it
 * for promises that don't support cancellation.
 */
export function race<Value>(promise: Promise<Value>, source: AbortSignal | Cancellation): Promise<Value> {
  return new Promise((resolve, reject) => {
    const removeListener = onAbort(source, () => reject(source.reason));
    promise.then(
      (value) => {
        removeListener();
        resolve(value);
      },
      (cause) => {
        removeListener();
        reject(cause);
      },
    );
  });
}

/** Waits for the given time. Rejects early if the source aborts. */
export async function delay(milliseconds: number, source: AbortSignal | Cancellation): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await race(
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, Math.min(milliseconds, longestTimer));
      }),
      source,
    );
  } finally {
    clearTimeout(timer);
  }
}
