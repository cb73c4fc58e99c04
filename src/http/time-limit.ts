import type { Cancellation } from '../transport.js';

/** Almost 25 days, in milliseconds. Longer timers fire immediately. */
const longestTimer = 2 ** 31 - 1;

/**
 * The time limit for a call (`totalTimeout`) or an attempt (`timeout`). It also aborts when its parent aborts.
 * For a call, the parent is the caller's signal. For an attempt, it is the call's time limit.
 *
 * `close` clears the timer and stops listening to the parent.
 */
export class TimeLimit implements Cancellation {
  aborted = false;
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

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.aborted) this.#controller.abort(this.reason);
    }
    return this.#controller.signal;
  }

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

/**
 * Calls the listener when the signal aborts, or immediately if it has already aborted.
 *
 * @returns a function that removes the listener
 */
export function onAbort(source: AbortSignal | Cancellation, listener: () => void): () => void {
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
 * A signal's listeners share one event listener, because Node.js warns about a leak if a signal has more than
 * ten.
 */
const listenersOf = /* @__PURE__ */ new WeakMap<AbortSignal, Set<() => void>>();

function callListeners(this: AbortSignal): void {
  for (const listener of listenersOf.get(this) ?? []) listener();
}

/** Returns the time in milliseconds from a monotonic clock, which ignores changes to the system time. */
export const now = (): number => performance.now();
