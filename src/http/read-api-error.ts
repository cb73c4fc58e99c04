import { describeFieldErrors, errorCodesOf } from '../contract/index.js';
import {
  ApiError,
  AuthenticationError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ServerError,
  UnprocessableError,
} from '../errors/index.js';
import { parseJson } from '../shared/parse-json.js';
import { quote } from '../shared/quote.js';
import type { ClientWire, ErrorContent } from '../wire/index.js';
import { callError } from './call-error.js';
import type { CallState } from './call-state.js';
import type { GuardedResponse } from './response-guard.js';

/** Creates the error for an unsuccessful response. */
export function readApiError(call: CallState, response: GuardedResponse, text: string): ApiError {
  const { headers, status, requestId } = response;
  const body = parseJson(text);
  const { cause, ...content } = decodeErrorBody(call.settings.wire, body);
  return callError(call, errorClassOf(status), describe(call, response, content, text), {
    outcome: status >= 400 && status < 500 ? 'rejected' : 'unknown',
    status,
    headers,
    body: call.redactor.redactBody(text, body),
    requestId,
    retryAfter: readRetryAfter(headers),
    reason: content.code,
    possibleReasons: errorCodesOf(call.operation, status),
    cause,
    ...(status === 422 && { fieldErrors: content.errors ?? {} }),
  });
}

/** An error in a custom `decode` must not change the error class, which depends only on the status. */
function decodeErrorBody({ error }: ClientWire, body: unknown): Partial<ErrorContent> & { cause?: unknown } {
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
  { status, headers, type }: GuardedResponse,
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
  // `Date.parse` accepts almost anything: "-5" is a date in 2001. A valid date in this header contains a
  // time.
  const date = /\d:\d\d/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(date)) return undefined;
  // If the response has a `Date` header, the wait is relative to the server's clock.
  const serverTime = Date.parse(headers.get('date') ?? '') || Date.now();
  return Math.max(0, Math.ceil((date - serverTime) / 1000));
}
