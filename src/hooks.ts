import type { OperationId } from './contract/index.js';
import type { InvalidResponseError, WorktrackError } from './errors/index.js';

/**
 * Functions the client invokes during a call. If a hook returns a promise, the call waits for it to settle,
 * but not past the total timeout. If a hook fails, the error is logged and the call continues.
 */
export interface Hooks {
  /** Called before each attempt. The hook can add request headers. */
  request?: ((event: RequestEvent) => void | Promise<void>) | undefined;
  /** Called after each complete response, regardless of its status. */
  response?: ((event: ResponseEvent) => void | Promise<void>) | undefined;
  /** Called after a failed attempt that will be retried. */
  retry?: ((event: RetryEvent) => void | Promise<void>) | undefined;
  /** Called before a call waits for a rate-limit pause to end. */
  pause?: ((event: PauseEvent) => void | Promise<void>) | undefined;
  /** Called once when a call fails. Not called if the client rejects the payload or options up front. */
  error?: ((event: ErrorEvent) => void | Promise<void>) | undefined;
}

/** Fields shared by all events. */
export interface CallEvent {
  /** An object that identifies the call. All of the call's events contain the same object. */
  call: object;
  /** The operation ID, for example `tickets.move`. For `raw`, the method and path. */
  operation: OperationId | (string & {});
  method: string;
  /** The path template under `/api/v1`, for example `/tickets/{ticket}/move`. */
  urlTemplate: string;
  /** The full URL. It never contains the credential. */
  url: string;
  /** The one-based attempt number, or 0 if no attempt was made. */
  attempt: number;
  /** The organization ID. */
  organization: string | undefined;
}

export interface RequestEvent extends CallEvent {
  /** The request headers without the credential. Any headers you add are sent with the request. */
  headers: Headers;
}

export interface ResponseEvent extends CallEvent {
  status: number;
  requestId: string | undefined;
  /** The duration of the attempt, including reading the body, in milliseconds. */
  durationMs: number;
  /** Why the body of a successful response can't be used. Undefined if it can, or if the status is an error. */
  error: InvalidResponseError | undefined;
}

export interface PauseEvent extends CallEvent {
  /** The rate-limit error that caused the pause. */
  error: WorktrackError;
  /** The remaining wait, in milliseconds. */
  delayMs: number;
}

export interface RetryEvent extends CallEvent {
  error: WorktrackError;
  /** The response status of the failed attempt. Undefined if there was no response. */
  status: number | undefined;
  requestId: string | undefined;
  /** The duration of the failed attempt, in milliseconds. */
  durationMs: number;
  /** The delay before the next attempt, in milliseconds. */
  delayMs: number;
}

export interface ErrorEvent extends CallEvent {
  error: WorktrackError;
  /** The status of the last response. Undefined if there was no response. */
  status: number | undefined;
  requestId: string | undefined;
  /** The duration of the entire call, in milliseconds. */
  durationMs: number;
}
