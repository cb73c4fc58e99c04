import type { FieldErrors, Operation } from '../contract/index.js';
import { InvalidResponseError } from '../errors/index.js';
import type { TimeLimit } from '../shared/abort.js';
import { parseJson } from '../shared/json.js';
import { callError, type Interruption, interruptionError, responseError } from './call-errors.js';
import type { CallState } from './call-state.js';
import { emit } from './events.js';
import { applyResponseValidation, fillMissingLists, findMismatches } from './response-validation.js';
import { discard, readText, type StartedResponse } from './send-request.js';

/** A promise for an operation's result that also provides access to the response. */
export interface ApiPromise<Result> extends Promise<Result> {
  /** Resolves to the result along with the response status, headers, request ID, and number of attempts. */
  withResponse(): Promise<ApiResponse<Result>>;
  /**
   * Resolves to a `Response` with the status, headers, and body that the server sent. Rejects with the same
   * errors as the promise itself.
   */
  asResponse(): Promise<Response>;
}

/** A result with response details. */
export interface ApiResponse<Result> {
  data: Result;
  status: number;
  headers: Headers;
  /** The request ID returned by the server. */
  requestId: string | undefined;
  /** The number of attempts, including the first. */
  attempts: number;
}

/** A response whose body has been read. */
export interface ReceivedResponse extends ApiResponse<unknown> {
  text: string | undefined;
}

export function toApiPromise<Result>(response: Promise<ReceivedResponse>): ApiPromise<Result> {
  const result = response.then(({ data }) => data as Result);
  // The caller handles errors through the returned promise, so `result` must not cause an unhandled
  // rejection.
  const fromResponse = <Value>(convert: (response: ReceivedResponse) => Value): Promise<Value> => {
    result.catch(() => {});
    return response.then(convert);
  };
  return Object.assign(result, {
    withResponse: () => fromResponse(({ text: _, ...rest }) => rest as ApiResponse<Result>),
    asResponse: () => fromResponse(toResponse),
  });
}

function toResponse({ text, status, headers: original }: ReceivedResponse): Response {
  const headers = new Headers(original);
  // These headers describe the compressed body, but the body has been decompressed.
  headers.delete('content-encoding');
  headers.delete('content-length');
  return new Response([204, 205].includes(status) ? null : text, { status, headers });
}

/** The maximum number of bytes to read from an error body. The rest is ignored. */
const longestErrorBody = 2 ** 20;

/**
 * Reads a response and its body.
 *
 * @throws ApiError for an error status, InvalidResponseError if a successful response is unusable, and a
 * timeout, abort, or connection error if the body is cut off
 */
export async function readResponse(
  call: CallState,
  attemptLimit: TimeLimit,
  response: StartedResponse,
): Promise<ReceivedResponse> {
  const { operation } = call;
  const { status, headers } = response;
  const requestId = call.redactor.redact(response.requestId);
  const isSuccess = status >= 200 && status < 300;
  const withData = (data: unknown, text?: string) => ({
    data,
    status,
    headers,
    requestId,
    attempts: call.attempts,
    text,
  });
  const emitResponse = (body?: string, error?: InvalidResponseError) => {
    const durationMs = Math.round(performance.now() - call.attemptStartedAt);
    return emit(call, 'response', () => ({ status, requestId, durationMs, error }), body);
  };
  if ((isSuccess && !hasResult(call)) || isDeletedByEarlierAttempt(call, status)) {
    discard(response.original);
    await emitResponse();
    return withData(undefined);
  }
  const { maxResponseBytes } = call.settings;
  const maxBytes = isSuccess ? maxResponseBytes : Math.min(maxResponseBytes, longestErrorBody);
  const { text, failure: cause, isTooLong } = await readText(response.original, attemptLimit, maxBytes);
  if (call.settings.signal?.aborted || (isSuccess && cause)) {
    const progress: Interruption = isSuccess
      ? { outcome: 'done', status, requestId }
      : { outcome: 'unknown' };
    const body = call.redactor.redact(text);
    throw interruptionError(call, { attemptLimit, ...progress, body, cause });
  }
  if (isSuccess && isTooLong) {
    const message = `is longer than ${maxBytes} bytes (option "maxResponseBytes")`;
    const error = invalidResponse(call, response, message);
    await emitResponse(undefined, error);
    throw error;
  }
  if (!isSuccess || 'isRaw' in operation) {
    await emitResponse(text);
    if (!isSuccess) throw responseError(call, response, text);
    return withData(text ? parseJson(text) : undefined, text);
  }
  const data = await readResult(operation, call, response, text).catch(async (error) => {
    if (error instanceof InvalidResponseError) await emitResponse(text, error);
    throw error;
  });
  await emitResponse(text);
  return withData(data, text);
}

const hasResult = ({ operation }: CallState) => 'isRaw' in operation || operation.response !== undefined;

/** If the response to a DELETE was lost, a 404 on the retry means that the record was deleted. */
const isDeletedByEarlierAttempt = ({ operation, outcomeSoFar }: CallState, status: number) =>
  status === 404 && operation.method === 'DELETE' && outcomeSoFar === 'unknown';

/**
 * Extracts the record, list, or page from the body of a successful response.
 *
 * @throws InvalidResponseError if the body isn't valid JSON or contains no data, or if `responseValidation`
 * rejects it
 */
async function readResult(
  operation: Operation,
  call: CallState,
  response: StartedResponse,
  text: string,
): Promise<unknown> {
  const { status, requestId } = response;
  const invalid = (problem: string, body: unknown, details?: InvalidDetails) =>
    invalidResponse(call, response, problem, { body: call.redactor.redactBody(text, body), ...details });
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw invalid(text ? "isn't valid JSON" : 'is empty', text, { cause });
  }
  const { page, envelope } = call.settings.wire;
  let result: { data: unknown; pageInfo?: unknown } | undefined;
  try {
    result = operation.paginated ? page.decode(body) : envelope.decode(body);
  } catch (cause) {
    throw invalid('can\'t be decoded (option "wire")', body, { cause });
  }
  if (!result || (result.data ?? undefined) === undefined) {
    throw invalid(operation.paginated ? 'contains no list' : 'contains no data', body);
  }
  const fieldErrors = findMismatches(operation, call, result);
  if (fieldErrors) {
    const { data } = result;
    await applyResponseValidation(call, { fieldErrors, data }, (problem, cause) =>
      call.callLimit.aborted
        ? interruptionError(call, {
            outcome: 'done',
            status,
            requestId,
            body: call.redactor.redact(text),
            cause,
          })
        : invalid(problem, body, { fieldErrors, cause }),
    );
    fillMissingLists(operation, data);
  }
  return operation.paginated ? result : result.data;
}

interface InvalidDetails {
  fieldErrors?: FieldErrors;
  cause?: unknown;
}

/** Creates the error for a successful response with an unusable body. */
const invalidResponse = (
  call: CallState,
  { status, headers, requestId }: StartedResponse,
  problem: string,
  details: InvalidDetails & { body?: unknown } = {},
): InvalidResponseError =>
  callError(
    call,
    InvalidResponseError,
    `the server performed the operation, but its response (${status}) ${problem}`,
    { outcome: 'done', status, requestId, headers, body: undefined, ...details },
  );
