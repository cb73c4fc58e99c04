import type { OperationId } from './contract/index.js';
import type { WorktrackError } from './errors/index.js';

/**
 * Functions that are called as a call proceeds. If a hook returns a promise, the call waits for it, at most until
 * the deadline. If a hook fails, the error is logged and the call goes on.
 */
export interface Hooks {
  /** Called before each attempt. May add headers to the request. */
  request?: ((event: RequestEvent) => void | Promise<void>) | undefined;
  /** Called after each response that was read to its end, whatever its status. */
  response?: ((event: ResponseEvent) => void | Promise<void>) | undefined;
  /** Called after a failed attempt that will be retried. */
  retry?: ((event: RetryEvent) => void | Promise<void>) | undefined;
  /** Called before a call waits because the server limits the rate of its credential. */
  pause?: ((event: PauseEvent) => void | Promise<void>) | undefined;
  /** Called once if a call fails, except if its payload or options are rejected before it starts. */
  error?: ((event: ErrorEvent) => void | Promise<void>) | undefined;
}

/** The fields of every event. */
export interface CallEvent {
  /** The same object in all events of one call. */
  call: object;
  /** The operation's id, for example `tickets.move`; method and path for one that the contract does not know. */
  operation: OperationId | (string & {});
  method: string;
  /** The path below `/api/v1` with its parameters unfilled, for example `/tickets/{ticket}/move`. */
  urlTemplate: string;
  /** The whole URL; it never holds the credential. */
  url: string;
  /** The attempt's number, from 1; 0 where none was made. */
  attempt: number;
  /** The organization that the call works in. */
  organization: string | undefined;
}

export interface RequestEvent extends CallEvent {
  /** The headers so far, without the credential; what is added here is sent. */
  headers: Headers;
}

export interface ResponseEvent extends CallEvent {
  status: number;
  requestId: string | undefined;
  /** Milliseconds of this attempt, its body included. */
  durationMs: number;
}

export interface PauseEvent extends CallEvent {
  /** The error of the call that caused the pause. */
  error: WorktrackError;
  /** Milliseconds until the pause is over. */
  delayMs: number;
}

export interface RetryEvent extends CallEvent {
  error: WorktrackError;
  /** The failed answer's status; undefined where there was none. */
  status: number | undefined;
  requestId: string | undefined;
  /** Milliseconds of the failed attempt. */
  durationMs: number;
  /** Milliseconds until the next attempt. */
  delayMs: number;
}

export interface ErrorEvent extends CallEvent {
  error: WorktrackError;
  /** The last answer's status; undefined where there was none. */
  status: number | undefined;
  requestId: string | undefined;
  /** Milliseconds of the whole call. */
  durationMs: number;
}
