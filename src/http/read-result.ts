import type { FieldErrors, Operation } from '../contract/index.js';
import { InvalidResponseError } from '../errors/index.js';
import { callError } from './call-error.js';
import type { CallState } from './call-state.js';
import { interruptionError } from './interruption-error.js';
import type { GuardedResponse } from './response-guard.js';
import { applyResponseValidation, findMismatches } from './response-validation.js';

/**
 * Extracts the record, list, or page from the body of a successful response.
 *
 * @throws InvalidResponseError if the body isn't valid JSON or contains no data, or if `responseValidation`
 * rejects it
 */
export async function readResult(
  operation: Operation,
  call: CallState,
  response: GuardedResponse,
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
  }
  return operation.paginated ? result : result.data;
}

interface InvalidDetails {
  fieldErrors?: FieldErrors;
  cause?: unknown;
}

/** Creates the error for a successful response with an unusable body. */
export const invalidResponse = (
  call: CallState,
  { status, headers, requestId }: GuardedResponse,
  problem: string,
  details: InvalidDetails & { body?: unknown } = {},
): InvalidResponseError =>
  callError(
    call,
    InvalidResponseError,
    `the server performed the operation, but its response (${status}) ${problem}`,
    { outcome: 'done', status, requestId, headers, body: undefined, ...details },
  );
