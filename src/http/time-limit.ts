import type { OperationId } from '../contract/index.js';
import { RequestAbortedError, RequestTimeoutError, type WorktrackError } from '../errors/index.js';
import type { CallOptions } from '../options.js';
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

/** Makes several calls within one total timeout. */
export async function withTotalTimeout<Result>(
  operation: OperationId,
  { totalTimeout, signal }: { totalTimeout: number; signal?: AbortSignal | undefined },
  run: (limits: () => CallOptions, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = new TimeLimit(totalTimeout, signal);
  const deadlineAt = now() + totalTimeout;
  // Pass the remaining time to each call, so that a call fails early if its next retry would exceed the
  // limit.
  const limits = () => ({ totalTimeout: Math.max(1, deadlineAt - now()), signal: limit.signal });
  try {
    return await run(limits, limit.signal);
  } catch (error) {
    const isTimeout = error instanceof RequestTimeoutError && error.limit === 'totalTimeout';
    const isAbort =
      !isTimeout && limit.aborted && (error instanceof RequestAbortedError || error === limit.reason);
    if (!isTimeout && !isAbort) throw error;
    const { operation: interrupted, attempts, outcome } = error as Partial<WorktrackError>;
    const context = {
      operation,
      attempts,
      // If the search was interrupted, nothing has been created.
      outcome: (interrupted === operation && outcome) || 'not_sent',
      cause: signal?.aborted ? signal.reason : error,
    } as const;
    const method = operation.replace('create', 'findOrCreate');
    if (signal?.aborted) throw new RequestAbortedError(`${method}: aborted by the caller's signal`, context);
    throw new RequestTimeoutError(`${method}: no result within ${totalTimeout} ms (option "totalTimeout")`, {
      ...context,
      limit: 'totalTimeout',
      milliseconds: totalTimeout,
    });
  } finally {
    limit.close();
  }
}
