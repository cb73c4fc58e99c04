import type { OperationId } from '../../src/contract/index.js';

/** The requests that a fault applies to. An omitted condition matches every request. */
export interface FaultSelection {
  /** One operation, or several. */
  operation?: OperationId | readonly OperationId[] | undefined;
  /** The name or token of the credential. */
  credential?: string | undefined;
  /** The number of requests to let through before the fault applies. @defaultValue 0 */
  after?: number | undefined;
  /** The maximum number of requests that the fault applies to. Unlimited by default. */
  times?: number | undefined;
  /**
   * The probability that the fault applies, from 0 to 1. It uses a generator with the server's seed.
   * @defaultValue 1
   */
  probability?: number | undefined;
}

/** The effect of a fault: a latency, and at most one of `status` and `error`. */
export interface FaultEffect {
  /** Milliseconds to wait before anything else, or the minimum and the maximum. */
  latency?: number | readonly [minimum: number, maximum: number] | undefined;
  /** Responds with this status instead of performing the request. */
  status?: number | undefined;
  /** With `status`: the `Retry-After` header, as seconds or a date. */
  retryAfter?: number | Date | undefined;
  /** With `status`: the body. A string is sent as it is, anything else as JSON. An error body by default. */
  body?: unknown;
  /** With `status`: additional headers. */
  headers?: Record<string, string> | undefined;
  /**
   * How the connection or the response breaks.
   * - `connection`: the connection closes before the request is performed;
   * - `response_lost`: the connection closes after the request was performed;
   * - `truncated`: the connection closes in the middle of the response's body;
   * - `malformed`: the response's body is cut in the middle, so that it isn't valid JSON.
   */
  error?: FaultError | undefined;
}

export type FaultError = (typeof faultErrors)[number];
export const faultErrors = ['connection', 'response_lost', 'truncated', 'malformed'] as const;

/** A fault to inject: the requests that it applies to, and its effect. */
export interface Fault extends FaultSelection, FaultEffect {}

/**
 * Thrown if a fault closes the connection. `mock.fetch` rejects with a `TypeError` like `fetch`, whose cause
 * is this error. MSW responds with a network error, and the HTTP server closes the socket.
 */
export class ConnectionFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConnectionFault';
  }
}
