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
import type { ErrorContent, ReadingWire } from '../wire/index.js';
import { parse } from './observe.js';
import { quote } from './quote.js';
import type { Received } from './received.js';
import { type CallState, failure } from './state.js';

/** The error for an answer whose status is no success. */
export function readFailure(call: CallState, response: Received, text: string): ApiError {
  const { headers, status } = response;
  const { wire } = call.settings;
  const body = parse(text);
  const { cause, ...content } = decode(wire, body);
  const redirect = response.type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304);
  const said = redirect
    ? `redirected to ${headers.get('location') ?? 'an address that the platform hides'}, which is not followed; check baseUrl`
    : describeFieldErrors(content.errors ?? {}) || (content.message ?? plain(text));
  const figures = [status || undefined, content.code].filter(Boolean).join(' ');
  const message = `${quote(call.redact(said)) || 'the server gave no reason'}${figures && ` (${figures})`}`;
  return failure(call, classOf(status), message, {
    outcome: status >= 400 && status < 500 ? 'rejected' : 'unknown',
    status,
    headers,
    body,
    requestId: response.requestId,
    retryAfter: secondsToWait(headers.get('retry-after')),
    reason: content.code,
    possibleReasons: errorCodesOf(call.operation, status),
    cause,
    ...(status === 422 && { fieldErrors: content.errors ?? {} }),
  });
}

/** The status says what was refused, whether or not the caller's own `decode` can read why. */
function decode({ error }: ReadingWire, body: unknown): Partial<ErrorContent> & { cause?: unknown } {
  try {
    return error.decode(body);
  } catch (cause) {
    return { message: 'the error body cannot be decoded by the option "wire"', cause };
  }
}

const classes: Record<number, typeof ApiError> = {
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  422: UnprocessableError,
  429: RateLimitError,
};

const classOf = (status: number): typeof ApiError =>
  classes[status] ?? (status >= 500 ? ServerError : ApiError);

/** Text that is no JSON, unless it is a page for a browser. */
const plain = (text: string) => (/^\s*[<{["]/.test(text) ? '' : text);

/** Reads `Retry-After`: seconds, or a date. */
function secondsToWait(value: string | null): number | undefined {
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
  // Platforms take almost anything for a date: "-5" is one of the year 2001. A real one has a time of day.
  const date = /\d:\d\d/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}
