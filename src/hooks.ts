import type { OperationId } from './contract/index.js';
import type { WorktrackError } from './errors/index.js';

/**
 * Functions that the client calls during an API call. If a hook returns a promise, the call waits for it, at
 * most until the deadline. If a hook fails, the error is logged and the call continues.
 */
export interface Hooks {
  /** Called before each attempt. May add headers to the request. */
  request?: ((event: RequestEvent) => void | Promise<void>) | undefined;
  /** Called after each response that was read to its end, whatever its status. */
  response?: ((event: ResponseEvent) => void | Promise<void>) | undefined;
  /** Called after a failed attempt that will be retried. */
  retry?: ((event: RetryEvent) => void | Promise<void>) | undefined;
  /** Called before a call waits for a rate-limit pause of its credential. */
  pause?: ((event: PauseEvent) => void | Promise<void>) | undefined;
  /** Called once if a call fails, except if its payload or options are rejected before it starts. */
  error?: ((event: ErrorEvent) => void | Promise<void>) | undefined;
}

/** The fields of every event. */
export interface CallEvent {
  /** The same object in all events of one call. */
  call: object;
  /** The operation ID, for example `tickets.move`. For `raw`, the method and the path. */
  operation: OperationId | (string & {});
  method: string;
  /** The path template below `/api/v1`, for example `/tickets/{ticket}/move`. */
  urlTemplate: string;
  /** The whole URL. It never contains the credential. */
  url: string;
  /** The number of the attempt, from 1; 0 if there was none. */
  attempt: number;
  /** The organization that the call works in. */
  organization: string | undefined;
}

export interface RequestEvent extends CallEvent {
  /** The request's headers, without the credential. Headers that you add are sent. */
  headers: Headers;
}

export interface ResponseEvent extends CallEvent {
  status: number;
  requestId: string | undefined;
  /** The duration of this attempt, including its body, in milliseconds. */
  durationMs: number;
}

export interface PauseEvent extends CallEvent {
  /** The error of the call that caused the pause. */
  error: WorktrackError;
  /** The rest of the pause, in milliseconds. */
  delayMs: number;
}

export interface RetryEvent extends CallEvent {
  error: WorktrackError;
  /** The status of the failed attempt's response; undefined if there was none. */
  status: number | undefined;
  requestId: string | undefined;
  /** The duration of the failed attempt, in milliseconds. */
  durationMs: number;
  /** The wait before the next attempt, in milliseconds. */
  delayMs: number;
}

export interface ErrorEvent extends CallEvent {
  error: WorktrackError;
  /** The status of the last response; undefined if there was none. */
  status: number | undefined;
  requestId: string | undefined;
  /** The duration of the whole call, in milliseconds. */
  durationMs: number;
}
