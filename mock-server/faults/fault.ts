import type { OperationId } from '../../src/contract/index.js';

/** Which requests a fault meets; what is left out does not matter. */
export interface FaultSelection {
  /** One operation, or several. */
  operation?: OperationId | readonly OperationId[] | undefined;
  /** Name or token of the credential. */
  credential?: string | undefined;
  /** How many of the first requests are spared. */
  after?: number | undefined;
  /** How many requests it meets before it is spent; no end by default. */
  times?: number | undefined;
  /** 0 to 1, decided by a generator with the server's seed; 1 by default. */
  probability?: number | undefined;
}

/** What happens to a request; latency goes with any of the others, of which there is one at most. */
export interface FaultEffect {
  /** Milliseconds before anything else, or the least and the most of them. */
  latency?: number | readonly [least: number, most: number] | undefined;
  /** Answers with this status instead of doing anything. */
  status?: number | undefined;
  /** With `status`: seconds, or a date, in `Retry-After`. */
  retryAfter?: number | Date | undefined;
  /** With `status`: the body, text as it is, anything else as JSON; an error body by default. */
  body?: unknown;
  /** With `status`: further headers. */
  headers?: Record<string, string> | undefined;
  /**
   * What goes wrong with the connection or the answer.
   * - `connection`: it breaks before anything is done;
   * - `response_lost`: it breaks after everything was done;
   * - `truncated`: the answer's body ends in the middle, and the connection with it;
   * - `malformed`: the answer's body is cut in the middle and is no JSON.
   */
  error?: FaultError | undefined;
}

export type FaultError = (typeof faultErrors)[number];
export const faultErrors = ['connection', 'response_lost', 'truncated', 'malformed'] as const;

/** A fault to inject: which requests it meets, and what happens to them. */
export interface Fault extends FaultSelection, FaultEffect {}

/**
 * The connection broke, as a fault demanded. `mock.fetch` shows it as `fetch` would, a TypeError
 * with this as its cause; MSW as a network error; the server over HTTP closes the socket.
 */
export class ConnectionFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConnectionFault';
  }
}
