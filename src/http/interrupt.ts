/** A signal with a limit of time that also follows another signal; `close` leaves no timer and no listener. */
export interface Limit {
  readonly signal: AbortSignal;
  abort(): void;
  close(): void;
}

/** Almost 25 days; the platform lets a longer one fire at once. */
const longestTimer = 2 ** 31 - 1;

export function limit(milliseconds: number, parent?: AbortSignal): Limit {
  const controller = new AbortController();
  const { signal } = controller;
  const abort = () => controller.abort(parent?.aborted ? parent.reason : undefined);
  const timer = milliseconds <= longestTimer ? setTimeout(abort, milliseconds) : undefined;
  if (parent?.aborted) abort();
  parent?.addEventListener('abort', abort);
  return {
    signal,
    abort,
    close() {
      clearTimeout(timer);
      parent?.removeEventListener('abort', abort);
    },
  };
}

/** The promise's end or the signal's, whichever is first: not everything that is awaited heeds a signal. */
export function race<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    const done = () => signal.removeEventListener('abort', stop);
    promise.then(resolve, reject).finally(done);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });
}

/** Waits, unless the signal cuts it short. */
export async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await race(
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, Math.min(milliseconds, longestTimer));
      }),
      signal,
    );
  } finally {
    clearTimeout(timer);
  }
}
