import { brandAs, type ErrorContext, WorktrackError } from './worktrack-error.js';

/** Fields shared by errors that can occur while a response is being read. */
export interface ConnectionContext extends ErrorContext {
  /** The response status, if the response had started. */
  status?: number | undefined;
  /** The part of the body that was read before the interruption. */
  body?: string | undefined;
}

/**
 * Thrown if the connection fails: for example, if it's refused or reset, the host is unknown, TLS fails, or
 * the body is cut off.
 */
export class ConnectionError extends WorktrackError {
  declare readonly name: 'ConnectionError';
  declare readonly code: 'connection';
  declare readonly status?: number;
  declare readonly body?: string;

  static {
    brandAs(ConnectionError, 'ConnectionError', 'connection');
  }

  constructor(message: string, context: ConnectionContext) {
    super(message, context);
  }
}

/** The fields of a {@link RequestTimeoutError}. */
export interface TimeoutContext extends ConnectionContext {
  limit: 'timeout' | 'totalTimeout';
  milliseconds: number;
}

/** Thrown if an attempt takes longer than `timeout`, or the entire call takes longer than `totalTimeout`. */
export class RequestTimeoutError extends WorktrackError {
  declare readonly name: 'RequestTimeoutError';
  declare readonly code: 'timeout';
  /** The timeout that was exceeded: `timeout` for an attempt, or `totalTimeout` for the entire call. */
  declare readonly limit: 'timeout' | 'totalTimeout';
  /** The value of the exceeded timeout, in milliseconds. */
  declare readonly milliseconds: number;
  declare readonly status?: number;
  declare readonly body?: string;

  static {
    brandAs(RequestTimeoutError, 'RequestTimeoutError', 'timeout');
  }

  constructor(message: string, context: TimeoutContext) {
    super(message, context);
  }
}

/** Thrown if the caller's signal aborts the call. `cause` is the signal's reason. */
export class RequestAbortedError extends WorktrackError {
  declare readonly name: 'RequestAbortedError';
  declare readonly code: 'aborted';
  declare readonly status?: number;
  declare readonly body?: string;

  static {
    brandAs(RequestAbortedError, 'RequestAbortedError', 'aborted');
  }

  constructor(message: string, context: ConnectionContext) {
    super(message, context);
  }
}
