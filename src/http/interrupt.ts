/**
 * An end that work must heed: a limit of time, the caller's signal, the end of what it is part of.
 * `close` leaves no timer and no listener.
 */
export interface Limit {
  readonly aborted: boolean;
  /** Why it ended. */
  readonly reason: unknown;
  /** For those who need one; made when it is first asked for, since making one costs a lot. */
  readonly signal: AbortSignal;
  /** Calls the listener when it ends, at once where it has; the result takes the listener back. */
  listen(listener: () => void): () => void;
  abort(): void;
  close(): void;
}

/** Almost 25 days; the platform lets a longer one fire at once. */
const longestTimer = 2 ** 31 - 1;

/** @param parent ends it too, with its own reason */
export function limit(milliseconds: number, parent?: AbortSignal | Limit): Limit {
  const listeners = new Set<() => void>();
  let controller: AbortController | undefined;
  let aborted = false;
  let reason: unknown;

  const end = (why: unknown) => {
    if (aborted) return;
    aborted = true;
    reason = why;
    controller?.abort(why);
    for (const listener of listeners) listener();
  };
  const timer = milliseconds <= longestTimer ? setTimeout(() => end(timeIsUp()), milliseconds) : undefined;
  const leave = follow(parent, () => end(parent?.reason));

  return {
    get aborted() {
      return aborted;
    },
    get reason() {
      return reason;
    },
    get signal() {
      if (!controller) {
        controller = new AbortController();
        if (aborted) controller.abort(reason);
      }
      return controller.signal;
    },
    listen(listener) {
      if (aborted) listener();
      else listeners.add(listener);
      return () => listeners.delete(listener);
    },
    abort: () => end(new DOMException('No longer wanted', 'AbortError')),
    close() {
      clearTimeout(timer);
      leave();
    },
  };
}

const timeIsUp = () => new DOMException('The time is up', 'TimeoutError');

/** Calls the listener when the parent ends, at once where it has. */
function follow(parent: AbortSignal | Limit | undefined, listener: () => void): () => void {
  if (!parent) return () => {};
  if ('listen' in parent) return parent.listen(listener);
  if (parent.aborted) listener();
  else parent.addEventListener('abort', listener);
  return () => parent.removeEventListener('abort', listener);
}

/** The promise's end or the limit's, whichever is first: not everything that is awaited heeds a signal. */
export function race<Value>(promise: Promise<Value>, bounds: Limit | AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const leave = follow(bounds, () => reject(bounds.reason));
    promise.then(resolve, reject).finally(leave);
  });
}

/** Waits, unless the limit cuts it short. */
export async function wait(milliseconds: number, bounds: Limit): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await race(
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, Math.min(milliseconds, longestTimer));
      }),
      bounds,
    );
  } finally {
    clearTimeout(timer);
  }
}
