import type { FieldErrors, OperationId, Scope } from '../../src/contract/index.js';

/** One request as the server saw it, and what it answered. */
export interface RecordedRequest {
  /** What the answer carries as `x-request-id`. */
  readonly id: string;
  /** Undefined where the path or the method names no operation. */
  readonly operation: OperationId | undefined;
  readonly method: string;
  readonly url: string;
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Query parameters that the contract knows, as they were validated; undefined where it came to none. */
  readonly query: unknown;
  /** The body as JSON gave it; undefined where there was none, or it was not read. */
  readonly body: unknown;
  /** Name of the credential; undefined for a request without a valid one. */
  readonly credential: string | undefined;
  /** What the operation requires. */
  readonly scope: Scope | undefined;
  /** 0 while the answer is on its way, and for a connection that a fault cut. */
  readonly status: number;
  /** The error code of a refusal. */
  readonly code: string | undefined;
  readonly fieldErrors: FieldErrors | undefined;
  /** What a fault did to it: `status 503`, `response lost`. */
  readonly fault: string | undefined;
  /** When it came, by the server's clock. */
  readonly at: string;
  /** How long the answer took, in milliseconds of real time. */
  readonly duration: number;
}

/** A record while it is being written. */
export type OpenRecord = { -readonly [Field in keyof RecordedRequest]: RecordedRequest[Field] };

const fields: Record<keyof RecordedRequest, true> = {
  id: true,
  operation: true,
  method: true,
  url: true,
  params: true,
  query: true,
  body: true,
  credential: true,
  scope: true,
  status: true,
  code: true,
  fieldErrors: true,
  fault: true,
  at: true,
  duration: true,
};

/** The fields that an expectation can name. */
export const recordFields: ReadonlySet<string> = new Set(Object.keys(fields));
