/** An `AbortSignal`, or a `TimeLimit`, which is cheaper to create. */
export type AbortSource = AbortSignal | TimeLimit;

/**
 * The time limit for a call (`totalTimeout`) or an attempt (`timeout`). It also aborts when its parent
 * aborts. For a call, the parent is the caller's signal. For an attempt, it is the call's time limit.
 *
 * `close` clears the timer and stops listening to the parent.
 */
export class TimeLimit {
  aborted = false;
  /** The reason for the abort. */
  reason: unknown;
  #listeners: Set<() => void> | undefined;
  #controller: AbortController | undefined;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #leaveParent: (() => void) | undefined;

  constructor(milliseconds: number, parent?: AbortSignal | TimeLimit) {
    if (milliseconds <= longestTimer) {
      this.#timer = setTimeout(() => this.#abort(timeoutReason()), milliseconds);
    }
    if (parent) this.#leaveParent = onAbort(parent, () => this.#abort(parent.reason));
  }

  /** An equivalent `AbortSignal`, created on first use because it is expensive. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.aborted) this.#controller.abort(this.reason);
    }
    return this.#controller.signal;
  }

  /** Calls the listener on abort, or immediately. Returns a function that removes the listener. */
  listen(listener: () => void): () => void {
    if (this.aborted) listener();
    else {
      this.#listeners ??= new Set();
      this.#listeners.add(listener);
    }
    return () => this.#listeners?.delete(listener);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#leaveParent?.();
  }

  #abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.#controller?.abort(reason);
    for (const listener of this.#listeners ?? []) listener();
  }
}

const timeoutReason = () => new DOMException('The operation timed out', 'TimeoutError');

/**
 * The longest delay that a timer supports, in milliseconds (almost 25 days). With a longer delay, it fires
 * immediately.
 */
const longestTimer = 2 ** 31 - 1;

/**
 * Waits for a promise that doesn't support cancellation. If the source aborts first, rejects with the abort
 * reason.
 */
export function race<Value>(promise: Promise<Value>, source: AbortSource | undefined): Promise<Value> {
  if (!source) return promise;
  return new Promise((resolve, reject) => {
    let removeListener = () => {};
    removeListener = onAbort(source, () => {
      removeListener();
      reject(source.reason);
    });
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

/** Waits for a promise that may never settle, or until the source aborts. Rejects if the promise rejects first. */
export const settled = (promise: unknown, source: AbortSource | undefined): Promise<void> =>
  race(Promise.resolve(promise), source).then(
    () => {},
    (cause) => {
      if (!source?.aborted) throw cause;
    },
  );

/** Waits for the given time. Rejects early if the source aborts. */
export async function delay(milliseconds: number, source: AbortSource | undefined): Promise<void> {
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

/**
 * Calls the listener when the signal aborts, or immediately if it has already aborted.
 *
 * @returns a function that removes the listener
 */
export function onAbort(source: AbortSource, listener: () => void): () => void {
  if ('listen' in source) return source.listen(listener);
  const listeners = listenersOf.get(source) ?? new Set();
  listenersOf.set(source, listeners);
  if (source.aborted) listener();
  else if (listeners.add(listener).size === 1) source.addEventListener('abort', callListeners);
  return () => {
    if (listeners.delete(listener) && listeners.size === 0) {
      source.removeEventListener('abort', callListeners);
    }
  };
}

/**
 * The listeners for each signal. They share one event listener, because Node.js warns about a memory leak if
 * a signal has more than ten.
 */
const listenersOf = /* @__PURE__ */ new WeakMap<AbortSignal, Set<() => void>>();

function callListeners(this: AbortSignal): void {
  for (const listener of listenersOf.get(this) ?? []) listener();
}
