import { longestTimer, onAbort } from '../shared/abort.js';
import type { Cancellation } from '../transport.js';

/**
 * The time limit for a call (`totalTimeout`) or an attempt (`timeout`). It also aborts when its parent
 * aborts. For a call, the parent is the caller's signal. For an attempt, it is the call's time limit.
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

/** Returns the time in milliseconds from a monotonic clock, which ignores changes to the system time. */
export const now = (): number => performance.now();
