import type { OperationId } from '../../src/contract/index.js';

/** Which requests a fault applies to; each condition that is left out applies to all. */
export interface FaultSelection {
  /** One operation, or several. */
  operation?: OperationId | readonly OperationId[] | undefined;
  /** Name or token of the credential. */
  credential?: string | undefined;
  /** How many requests pass before the fault applies; 0 by default. */
  after?: number | undefined;
  /** How many requests the fault applies to; no limit by default. */
  times?: number | undefined;
  /** Probability from 0 to 1, decided by a generator with the server's seed; 1 by default. */
  probability?: number | undefined;
}

/** What happens to a request: a latency, and at most one of `status` and `error`. */
export interface FaultEffect {
  /** Milliseconds to wait before anything else, or the minimum and the maximum. */
  latency?: number | readonly [minimum: number, maximum: number] | undefined;
  /** Responds with this status instead of performing the request. */
  status?: number | undefined;
  /** With `status`: seconds, or a date, in `Retry-After`. */
  retryAfter?: number | Date | undefined;
  /** With `status`: the body. A string is sent as it is, anything else as JSON. An error body by default. */
  body?: unknown;
  /** With `status`: further headers. */
  headers?: Record<string, string> | undefined;
  /**
   * What goes wrong with the connection or the response.
   * - `connection`: the connection closes before the request is performed;
   * - `response_lost`: the connection closes after the request was performed;
   * - `truncated`: the connection closes in the middle of the response's body;
   * - `malformed`: the response's body is cut in the middle, so that it isn't valid JSON.
   */
  error?: FaultError | undefined;
}

export type FaultError = (typeof faultErrors)[number];
export const faultErrors = ['connection', 'response_lost', 'truncated', 'malformed'] as const;

/** A fault to inject: which requests it applies to, and what happens to them. */
export interface Fault extends FaultSelection, FaultEffect {}

/**
 * A fault closed the connection. `mock.fetch` rejects with a TypeError, as `fetch` would, with this as
 * its cause. MSW shows a network error, and the server over HTTP closes the socket.
 */
export class ConnectionFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConnectionFault';
  }
}
