import type { Operation } from '../contract/index.js';
import type { Outcome } from '../errors/index.js';
import type { TimeLimit } from '../shared/abort.js';
import type { Redactor } from '../shared/redact.js';
import type { Settings } from './settings.js';

/** A request's URL and body, which are the same for all attempts. */
export interface BuiltRequest {
  readonly url: string;
  readonly body: string | undefined;
}

/** A raw request, described as if it were an operation in the contract. */
export interface RawOperation
  extends Pick<Operation, 'method' | 'path' | 'idempotent' | 'errorCodes' | 'parameters' | 'paginated'> {
  readonly isRaw: true;
  /** The method and path. */
  readonly id: string;
  readonly body?: never;
  readonly response?: never;
}

/** A call's operation and request. */
export type CallPlan = Pick<CallState, 'operation' | 'request'>;

/** A call in flight. */
export interface CallState {
  readonly operation: Operation | RawOperation;
  readonly request: BuiltRequest;
  readonly settings: Settings;
  /** Identifies the call in hook events. */
  readonly key: object;
  readonly redactor: Redactor;
  /** Aborts when the caller's signal aborts or `totalTimeout` expires. */
  readonly callLimit: TimeLimit;
  readonly startedAt: number;
  /** When `totalTimeout` expires. All times are those of `performance.now()`. */
  readonly deadlineAt: number;
  attemptStartedAt: number;
  attempts: number;
  outcomeSoFar: Outcome;
  /** When the last wait was supposed to finish. Timers can fire early, so this time may be in the future. */
  waitedUntil: number;
  /**
   * Whether the call must fail without another attempt, because it can't wait for a rate-limit pause or the
   * throttle, or because `fetch` reported a permanent error.
   */
  cannotRetry: boolean;
  /** The token of the current attempt. */
  token: string | undefined;
  /** The token that the server rejected with a 401. */
  rejectedToken: string | undefined;
}

/** The part of a response that's known before its body is read. */
export interface ResponseHead {
  status: number;
  headers: Headers;
  /** The request ID returned by the server. */
  requestId: string | undefined;
  type: string | undefined;
}
