import { now } from '../shared/now.js';
import { parseJson } from '../shared/parse-json.js';
import type { ReadResponse } from './api-promise.js';
import { type CallState, isRaw } from './call-state.js';
import { emit } from './events.js';
import { interruptionError, type Progress } from './interruption-error.js';
import { readApiError } from './read-api-error.js';
import { invalidResponse, readResult } from './read-result.js';
import type { GuardedResponse } from './response-guard.js';
import type { TimeLimit } from './time-limit.js';

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
  response: GuardedResponse,
): Promise<ReadResponse> {
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
  const emitResponse = (body?: string) => {
    const durationMs = Math.round(now() - call.attemptStartedAt);
    return emit(call, 'response', () => ({ status, requestId, durationMs }), body);
  };
  if ((isSuccess && !hasResult(call)) || isDeletedByEarlierAttempt(call, status)) {
    response.discard();
    await emitResponse();
    return withData(undefined);
  }
  const { maxResponseBytes } = call.settings;
  const maxBytes = isSuccess ? maxResponseBytes : Math.min(maxResponseBytes, longestErrorBody);
  const { text, failure: cause, isTooLong } = await response.read(maxBytes);
  if (call.settings.signal?.aborted || (isSuccess && cause)) {
    const done: Progress = isSuccess ? { outcome: 'done', status, requestId } : { outcome: 'unknown' };
    const body = call.redactor.redact(text);
    throw interruptionError(call, { attemptLimit, ...done, body, cause });
  }
  if (isSuccess && isTooLong) {
    await emitResponse();
    throw invalidResponse(call, response, `is longer than ${maxBytes} bytes (option "maxResponseBytes")`);
  }
  await emitResponse(text);
  if (!isSuccess) throw readApiError(call, response, text);
  if (isRaw(operation)) return withData(text ? parseJson(text) : undefined, text);
  return withData(await readResult(operation, call, response, text), text);
}

const hasResult = ({ operation }: CallState) => isRaw(operation) || operation.response !== undefined;

/** If the response to a DELETE was lost, a 404 on the retry means that the record was deleted. */
const isDeletedByEarlierAttempt = ({ operation, outcomeSoFar }: CallState, status: number) =>
  status === 404 && operation.method === 'DELETE' && outcomeSoFar === 'unknown';
