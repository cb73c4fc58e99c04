import type { OperationId } from './contract/index.js';
import type { WorktrackError } from './errors/index.js';

/** What happens to a call, told as it happens. A hook that fails is logged; the call goes on. */
export interface Hooks {
  /** Before each attempt; may add headers. */
  request?: ((event: RequestEvent) => void) | undefined;
  /** After each answer that was read to its end, of whatever status. */
  response?: ((event: ResponseEvent) => void) | undefined;
  /** After an attempt that failed and will be repeated. */
  retry?: ((event: RetryEvent) => void) | undefined;
  /** Once, when a call ends in an error; not for a payload or an option that is refused before the call begins. */
  error?: ((event: ErrorEvent) => void) | undefined;
}

/** What every event says. */
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
