import type { FieldErrors, Operation } from '../contract/index.js';
import { InvalidResponseError } from '../errors/index.js';
import type { Received } from './received.js';
import { applyPolicy, mismatches } from './response-policy.js';
import { type CallState, failure, interruption } from './state.js';

/**
 * Takes the record, the list or the page out of the body of a success.
 *
 * @throws InvalidResponseError for what is no JSON or has no data, whatever the policy; for a field that
 * does not fit as the policy says
 */
export async function readResult(
  operation: Operation,
  call: CallState,
  response: Received,
  text: string,
): Promise<unknown> {
  const { settings } = call;
  const done = {
    outcome: 'done' as const,
    status: response.status,
    requestId: response.requestId,
  };
  const invalid = (message: string, body: unknown, more?: { fieldErrors?: FieldErrors; cause?: unknown }) =>
    failure(call, InvalidResponseError, `the server did it, but its answer (${response.status}) ${message}`, {
      ...done,
      headers: response.headers,
      body,
      ...more,
    });
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw invalid(text ? 'is no JSON' : 'is empty', text, { cause });
  }
  const { page, envelope } = settings.wire;
  let result: { data: unknown; pageInfo?: unknown } | undefined;
  try {
    result = operation.paginated ? page.decode(body) : envelope.decode(body);
  } catch (cause) {
    throw invalid('cannot be decoded by the option "wire"', body, { cause });
  }
  if (!result) throw invalid(operation.paginated ? 'has no list in it' : 'has no data in it', body);
  const fieldErrors = mismatches(operation, call, result);
  if (fieldErrors) {
    await applyPolicy(call, { fieldErrors, data: result.data }, (message, cause) =>
      call.total.aborted
        ? interruption(call, { ...done, body: text, cause })
        : invalid(message, body, { fieldErrors, cause }),
    );
  }
  return operation.paginated ? result : result.data;
}
