import { describeFieldErrors, errorCodesOf } from '../contract/index.js';
import {
  ApiError,
  AuthenticationError,
  type ConnectionContext,
  ConnectionError,
  type ErrorContext,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  RequestAbortedError,
  RequestTimeoutError,
  ServerError,
  UnprocessableError,
  type WorktrackError,
} from '../errors/index.js';
import type { TimeLimit } from '../shared/abort.js';
import { describeThrown } from '../shared/describe-thrown.js';
import { parseJson } from '../shared/json.js';
import { quote } from '../shared/quote.js';
import type { ClientWireFormat, ErrorContent } from '../wire/index.js';
import type { CallState, ResponseHead } from './call-state.js';

/**
 * Creates an error with the call's context. Credentials are redacted, except in the body, which must already
 * have been redacted with `redactBody`.
 */
export function callError<Context extends ErrorContext, Kind>(
  call: CallState,
  ErrorClass: new (message: string, context: Context) => Kind,
  message: string,
  context: Omit<Context, 'operation' | 'attempts'>,
): Kind {
  // If an earlier attempt may have performed the write, its outcome stays unknown, even if this attempt was
  // rejected.
  const isUnknown =
    call.outcomeSoFar === 'unknown' && call.operation.method !== 'GET' && context.outcome !== 'done';
  const redacted = Object.entries(context).map(([name, value]) => [
    name,
    name === 'body' ? value : call.redactor.redact(value),
  ]);
  return new ErrorClass(call.redactor.redact(`${call.operation.id}: ${message}`), {
    ...Object.fromEntries(redacted),
    ...(isUnknown && { outcome: 'unknown' }),
    operation: 'isRaw' in call.operation ? undefined : call.operation.id,
    attempts: call.attempts,
  } as unknown as Context);
}

/** Why an attempt was interrupted, and how far it got. */
export interface Interruption extends Partial<ConnectionContext> {
  attemptLimit?: TimeLimit | undefined;
}

/** Creates the error for an attempt that was aborted, timed out, or lost its connection. */
export function interruptionError(
  call: CallState,
  { attemptLimit, cause, ...progress }: Interruption,
): WorktrackError {
  const { signal, totalTimeout, timeout, baseUrl } = call.settings;
  const context = { outcome: call.outcomeSoFar, ...progress };
  if (signal?.aborted) {
    const error = callError(call, RequestAbortedError, "aborted by the caller's signal", context);
    // The cause isn't redacted, because it's an object that belongs to the caller.
    return Object.defineProperty(error, 'cause', {
      value: signal.reason,
      configurable: true,
      writable: true,
    });
  }
  const timeoutError = (limit: 'timeout' | 'totalTimeout', milliseconds: number) =>
    callError(
      call,
      RequestTimeoutError,
      `${call.attempts ? 'no complete response' : 'not sent'} within ${milliseconds} ms (option "${limit}")`,
      { ...context, limit, milliseconds, cause },
    );
  if (call.callLimit.aborted) return timeoutError('totalTimeout', totalTimeout);
  if (attemptLimit?.aborted) return timeoutError('timeout', timeout);
  const { origin, hostname } = new URL(baseUrl);
  const what = progress.status
    ? `the response from ${origin} (${progress.status}) was cut off`
    : `no response from ${origin}`;
  const hint =
    hostname.endsWith('.test') && neverConnected(cause)
      ? '; did you forget to pass "fetch: mock.fetch" to the client?'
      : '';
  return callError(
    call,
    ConnectionError,
    `${what}: ${quote(call.redactor.redact(describeNetworkError(cause)))}${hint}`,
    { ...context, cause },
  );
}

/**
 * Awaits a promise before the request is sent. If the call is interrupted first, rejects with the
 * corresponding error.
 */
export const orInterruption = <Value>(call: CallState, awaited: Promise<Value>): Promise<Value> =>
  awaited.catch((cause) => {
    throw interruptionError(call, { cause });
  });

/** The fields that network errors have on some platforms. */
interface SystemError {
  code?: unknown;
  message?: unknown;
  syscall?: unknown;
  cause?: SystemError;
  /** An error for each IP address that was tried. */
  errors?: SystemError[];
}

/** Returns the reason for a network error. `fetch` itself only reports "fetch failed". */
function describeNetworkError(error: unknown): string {
  const { message, cause } = (error ?? {}) as SystemError;
  return describeThrown(cause?.message || cause?.code || message || error);
}

/**
 * The error codes that Node.js, undici, and Bun use for an unknown host, a refused connection, or an
 * untrusted certificate. OpenSSL's own codes (`ERR_SSL_…`) aren't among them, because they can also occur
 * later.
 */
const connectionCodes =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|E(NET|HOST)UNREACH|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|(?!ERR_SSL_).*CERT.*|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/;

/** Whether the connection failed before the server could receive the request. */
export function neverConnected(error: unknown): boolean {
  const { code, syscall, cause, errors } = (error ?? {}) as SystemError;
  return (
    // Some of these codes also occur on established connections, so check the system call instead if it's
    // known.
    (syscall === undefined
      ? connectionCodes.test(String(code))
      : /^(connect|getaddrinfo)$/.test(String(syscall))) ||
    (Array.isArray(errors) && errors.length > 0 && errors.every(neverConnected)) ||
    (cause !== undefined && neverConnected(cause))
  );
}

/**
 * Whether a retry is certain to fail, because MSW has no handler for the request or `fetch` reported it with
 * `retryable: false`.
 */
export function isFinal(error: unknown): boolean {
  const { retryable, message, cause } = (error ?? {}) as Error & { retryable?: unknown };
  return (
    retryable === false ||
    (typeof message === 'string' && message.startsWith('[MSW] ')) ||
    (cause !== undefined && isFinal(cause))
  );
}

/** Proxies also send a 408 if they give up while the server is still processing the request. */
const requestTimeout = 408;

/** Creates the error for an unsuccessful response. */
export function responseError(call: CallState, response: ResponseHead, text: string): ApiError {
  const { headers, status, requestId } = response;
  const body = parseJson(text);
  const { cause, ...content } = decodeErrorBody(call.settings.wire, body);
  return callError(call, errorClassOf(status), describe(call, response, content, text), {
    outcome: status >= 400 && status < 500 && status !== requestTimeout ? 'rejected' : 'unknown',
    status,
    headers,
    body: call.redactor.redactBody(text, body),
    requestId,
    retryAfter: readRetryAfter(headers),
    code: content.code || undefined,
    possibleCodes: errorCodesOf(call.operation, status),
    cause,
    ...(status === 422 && { fieldErrors: content.errors ?? {} }),
  });
}

/** An error in a custom `decode` must not change the error class, which depends only on the status. */
function decodeErrorBody(
  { error }: ClientWireFormat,
  body: unknown,
): Partial<ErrorContent> & { cause?: unknown } {
  try {
    return error.decode(body);
  } catch (cause) {
    return { message: 'option "wire" can\'t decode the error body', cause };
  }
}

const errorClasses: Record<number, typeof ApiError> = {
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  422: UnprocessableError,
  429: RateLimitError,
};

const errorClassOf = (status: number): typeof ApiError =>
  errorClasses[status] ?? (status >= 500 ? ServerError : ApiError);

function describe(
  call: CallState,
  { status, headers, type }: ResponseHead,
  { message, errors = {}, code }: Partial<ErrorContent>,
  text: string,
): string {
  const isRedirect = type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304);
  const reason = isRedirect
    ? `redirected to ${headers.get('location') ?? 'a hidden URL'}; redirects aren't followed (check baseUrl)`
    : describeFieldErrors(errors) || (message ?? (isMarkup(text) ? '' : text));
  const details = [status || undefined, code && quote(call.redactor.redact(code))].filter(Boolean).join(' ');
  return `${quote(call.redactor.redact(reason)) || 'the server gave no reason'}${details && ` (${details})`}`;
}

/** Matches HTML pages and JSON in an unknown format. */
const isMarkup = (text: string) => /^\s*[<{["]/.test(text);

/** Reads `Retry-After`, which is a number of seconds or a date. */
function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
  // `Date.parse` accepts almost anything. For example, it parses "-5" as a date in 2001. A valid date in this
  // header always contains a time.
  const date = /\d:\d\d/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(date)) return undefined;
  // Use the server's clock if the response has a `Date` header, because the local clock may be wrong.
  const serverTime = Date.parse(headers.get('date') ?? '') || Date.now();
  return Math.max(0, Math.ceil((date - serverTime) / 1000));
}
