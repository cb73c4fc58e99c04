import { brandAs, type ErrorContext, WorktrackError } from './worktrack-error.js';

/** What an error knows that may have struck in the middle of an answer. */
export interface ConnectionContext extends ErrorContext {
  /** The status, where the answer had begun. */
  status?: number | undefined;
  /** What had been read of the body when it was cut off. */
  body?: string | undefined;
}

/** No usable answer came: connection refused or reset, name unknown, TLS failed, body cut off. */
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

/** What a {@link RequestTimeoutError} knows. */
export interface TimeoutContext extends ConnectionContext {
  limit: 'timeout' | 'deadline';
  milliseconds: number;
}

/** An attempt took longer than `timeout`, or the whole call longer than `deadline`. */
export class RequestTimeoutError extends WorktrackError {
  declare readonly name: 'RequestTimeoutError';
  declare readonly code: 'timeout';
  /** The option that set the limit: `timeout` for one attempt, `deadline` for the whole call. */
  declare readonly limit: 'timeout' | 'deadline';
  /** The option's value. */
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

/** The caller's signal ended the call; `cause` is the signal's reason. */
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
