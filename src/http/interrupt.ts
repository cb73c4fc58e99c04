import type { Cancellation } from '../transport.js';

/** Almost 25 days; the platform lets a longer one fire at once. */
const longestTimer = 2 ** 31 - 1;

/**
 * An end that work must heed: a limit of time, the caller's signal, the end of what it is part of.
 * `close` leaves no timer and no listener.
 */
export class Limit implements Cancellation {
  aborted = false;
  reason: unknown;
  #listeners: Set<() => void> | undefined;
  #controller: AbortController | undefined;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #leave: (() => void) | undefined;

  /** @param parent ends it too, with its own reason */
  constructor(milliseconds: number, parent?: AbortSignal | Limit) {
    if (milliseconds <= longestTimer) this.#timer = setTimeout(() => this.#end(timeIsUp()), milliseconds);
    if (parent) this.#leave = follow(parent, () => this.#end(parent.reason));
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

  abort(): void {
    this.#end(new DOMException('No longer wanted', 'AbortError'));
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#leave?.();
  }

  #end(why: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = why;
    this.#controller?.abort(why);
    for (const listener of this.#listeners ?? []) listener();
  }
}

const timeIsUp = () => new DOMException('The time is up', 'TimeoutError');

/** Calls the listener when the parent ends, at once where it has. */
function follow(parent: AbortSignal | Limit, listener: () => void): () => void {
  if (parent instanceof Limit) return parent.listen(listener);
  const all = followers.get(parent) ?? new Set();
  followers.set(parent, all);
  if (parent.aborted) listener();
  else if (all.add(listener).size === 1) parent.addEventListener('abort', tell);
  return () => {
    if (all.delete(listener) && all.size === 0) parent.removeEventListener('abort', tell);
  };
}

/** What follows a signal, by one listener on it: from the eleventh on Node.js would warn of a leak. */
const followers = /* @__PURE__ */ new WeakMap<AbortSignal, Set<() => void>>();

function tell(this: AbortSignal): void {
  for (const listener of followers.get(this) ?? []) listener();
}

/** The promise's end or the limit's, whichever is first: not everything that is awaited heeds a signal. */
export function race<Value>(promise: Promise<Value>, bounds: Limit | AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const leave = follow(bounds, () => reject(bounds.reason));
    promise.then(
      (value) => {
        leave();
        resolve(value);
      },
      (cause) => {
        leave();
        reject(cause);
      },
    );
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
