import type { CreateTicket, CreateTicketOnDefaultBoard, OperationId } from './contract/index.js';
import type { InvalidResponseError, WorktrackError } from './errors/index.js';

/**
 * Functions that the client runs during a call. If a hook returns a promise, the call waits for it to settle,
 * but not past the total timeout. If a hook fails, the error is logged and the call continues.
 */
export interface Hooks {
  /** Called before each attempt. The hook can add request headers. */
  request?: ((event: RequestEvent) => void | Promise<void>) | undefined;
  /**
   * Called after each response, regardless of its status. Not called if the call is aborted before the response
   * is read and validated, or if a successful response times out or its body is cut off.
   */
  response?: ((event: ResponseEvent) => void | Promise<void>) | undefined;
  /** Called after a failed attempt that will be retried. */
  retry?: ((event: RetryEvent) => void | Promise<void>) | undefined;
  /** Called before a call waits for a rate-limit pause to end or for the client's `throttle`. */
  pause?: ((event: PauseEvent) => void | Promise<void>) | undefined;
  /**
   * Called once when a call fails. Not called if the payload or an option is invalid, if the organization is
   * missing, or for an `IncompleteListError`.
   */
  error?: ((event: ErrorEvent) => void | Promise<void>) | undefined;
}

/**
 * Adapts the client's types to your program. Add one or both of these properties to it:
 *
 * - `context`: the type of the `context` option and of the `context` property in events
 * - `defaultBoard: true`: the deployment has a default board, so new tickets don't need a board
 *
 * @example
 * ```ts
 * declare module 'worktrack' {
 *   interface Register {
 *     context: { requestId: string };
 *     defaultBoard: true;
 *   }
 * }
 * ```
 */
// biome-ignore lint/suspicious/noEmptyInterface: users add properties
export interface Register {}

/** The type of the `context` option: any value, unless {@link Register} sets another type. */
export type CallContext = Register extends { context: infer Context } ? Context : unknown;

/** A ticket to create. The board is optional if {@link Register} sets `defaultBoard`. */
export type NewTicket = Register extends { defaultBoard: true }
  ? CreateTicket | CreateTicketOnDefaultBoard
  : CreateTicket;

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
  /** The call's `context` option. */
  context: CallContext | undefined;
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
  /**
   * Why a successful response's body is unusable. Undefined if the body is usable or the status is an error.
   */
  error: InvalidResponseError | undefined;
}

export interface PauseEvent extends CallEvent {
  /** Why the call is waiting: `rateLimit` for a pause after a 429, or the name of a `throttle` limit. */
  reason: 'rateLimit' | 'requestsPerMinute' | 'concurrency';
  /** The 429 error that caused the pause. Undefined if the call is waiting for the `throttle`. */
  error: WorktrackError | undefined;
  /** The remaining wait, in milliseconds. Undefined if it depends on when in-flight requests finish. */
  delayMs: number | undefined;
}

export interface RetryEvent extends CallEvent {
  error: WorktrackError;
  /** The response status of the failed attempt. Undefined if no response arrived. */
  status: number | undefined;
  requestId: string | undefined;
  /** The duration of the failed attempt, in milliseconds. */
  durationMs: number;
  /** The delay before the next attempt, in milliseconds. */
  delayMs: number;
}

export interface ErrorEvent extends CallEvent {
  error: WorktrackError;
  /**
   * The error's `status`, if it has one. It's the last response's status, or 429 if the call couldn't wait for a
   * rate limit or the `throttle`.
   */
  status: number | undefined;
  requestId: string | undefined;
  /** The duration of the entire call, in milliseconds. */
  durationMs: number;
}
