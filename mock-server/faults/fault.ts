import type { OperationId } from '../../src/contract/index.js';

/** The requests that a fault applies to. If you omit a condition, it matches every request. */
export interface FaultSelection {
  /** One or more operations. */
  operation?: OperationId | readonly OperationId[] | undefined;
  /** The name or token of the credential. */
  credential?: string | undefined;
  /** The number of matching requests to skip before the fault applies. @defaultValue 0 */
  after?: number | undefined;
  /** The maximum number of requests that the fault applies to. Unlimited by default. */
  times?: number | undefined;
  /**
   * The probability that the fault applies, from 0 to 1. The server's `randomSeed` makes the outcome
   * reproducible.
   * @defaultValue 1
   */
  probability?: number | undefined;
}

/** A fault's effect: latency, a status, or an error. `status` and `error` are mutually exclusive. */
export interface FaultEffect {
  /** How long to wait before handling the request, in milliseconds. Pass a range for a random latency. */
  latency?: number | readonly [minimum: number, maximum: number] | undefined;
  /** The status to respond with instead of running the operation. */
  status?: number | undefined;
  /** The `Retry-After` header, in seconds or as a date. Requires `status`. */
  retryAfter?: number | Date | undefined;
  /**
   * The response body. Strings are sent unchanged. Other values are sent as JSON. Defaults to an error body.
   * Requires `status`.
   */
  body?: unknown;
  /** Additional response headers. Requires `status`. */
  headers?: Record<string, string> | undefined;
  /**
   * How the request fails:
   * - `connection`: the connection closes before the request is processed
   * - `response_lost`: the connection closes after the request is processed
   * - `truncated`: the connection closes in the middle of the response body, if any
   * - `malformed`: the response body, if any, is cut in half, which makes it invalid JSON
   */
  error?: FaultError | undefined;
}

export type FaultError = (typeof faultErrors)[number];
export const faultErrors = ['connection', 'response_lost', 'truncated', 'malformed'] as const;

/** A fault to inject: which requests it applies to, and what it does. */
export interface Fault extends FaultSelection, FaultEffect {}

/**
 * Thrown if a fault closes the connection. Like the global `fetch`, `mock.fetch` rejects with a `TypeError`
 * whose cause is this error. MSW reports a network error, and the HTTP server closes the socket.
 */
export class ConnectionFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConnectionFault';
  }
}
