import type { Operation, OperationId } from '../contract/index.js';
import { type FieldErrors, pageFiguresSchema, type Schema, validate } from '../contract/index.js';
import { InvalidResponseError } from '../errors/index.js';
import { log } from './observe.js';
import { type CallState, failure } from './state.js';

/**
 * Takes the record, the list or the page out of the body of a success.
 *
 * @throws InvalidResponseError for what is no JSON or has no data, whatever the policy; for a field that
 * does not fit as the policy says
 */
export async function readResult(
  operation: Operation,
  call: CallState,
  response: Response,
  text: string,
): Promise<unknown> {
  const { settings } = call;
  const invalid = (message: string, body: unknown, more?: { fieldErrors?: FieldErrors; cause?: unknown }) =>
    failure(call, InvalidResponseError, `the server did it, but its answer (${response.status}) ${message}`, {
      outcome: 'done',
      status: response.status,
      headers: response.headers,
      requestId: response.headers.get(settings.wire.requestIdHeader) ?? undefined,
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
  let result: { data: unknown; figures?: unknown } | undefined;
  try {
    result = operation.paginated ? page.decode(body) : envelope.decode(body);
  } catch (cause) {
    throw invalid('cannot be decoded by the option "wire"', body, { cause });
  }
  if (!result) throw invalid(operation.paginated ? 'has no list in it' : 'has no data in it', body);
  const fieldErrors = mismatches(operation, call, result);
  if (fieldErrors) {
    const policy = settings.responseValidation;
    const said = describe(fieldErrors);
    if (policy === 'throw') throw invalid(`does not fit the contract: ${said}`, body, { fieldErrors });
    if (policy === 'warn') warnOnce(call, fieldErrors);
    if (typeof policy === 'function') {
      try {
        await policy({ operation: call.id as OperationId, fieldErrors, data: result.data });
      } catch (cause) {
        throw invalid(`was refused by responseValidation: ${said}`, body, { fieldErrors, cause });
      }
    }
  }
  return operation.paginated ? result : result.data;
}

function mismatches(
  operation: Operation,
  { settings }: CallState,
  { data, figures }: { data: unknown; figures?: unknown },
): FieldErrors | undefined {
  if (settings.responseValidation === 'off') return undefined;
  const results = [
    validate(operation.response as Schema<unknown, never>, data),
    ...(operation.paginated ? [validate(pageFiguresSchema as Schema<unknown, never>, figures)] : []),
  ];
  const wrong = results.flatMap((result) => (result.ok ? [] : Object.entries(result.fieldErrors)));
  return wrong.length ? Object.fromEntries(wrong) : undefined;
}

/** The first few: a list of 200 records can miss the same field 200 times. */
function describe(fieldErrors: FieldErrors): string {
  const said = Object.entries(fieldErrors).map(([field, texts]) => `${field} ${texts.join(', ')}`);
  return said.slice(0, 3).join('; ') + (said.length > 3 ? `; and ${said.length - 3} more` : '');
}

function warnOnce(call: CallState, fieldErrors: FieldErrors): void {
  const { warned } = call.settings.shared;
  const fresh: FieldErrors = {};
  for (const [field, texts] of Object.entries(fieldErrors)) {
    // The same field of any item of a list is one path.
    const path = field.replace(/(^|\.)\d+(?=\.|$)/g, '$1*');
    const key = `${call.id} ${path}`;
    if (warned.has(key)) continue;
    warned.add(key);
    fresh[path] = texts;
  }
  const said = describe(fresh);
  if (!said) return;
  const message = `worktrack: ${call.id}: the answer does not fit the contract: ${said}`;
  log(call, 'warn', message, { operation: call.id, fieldErrors: fresh });
}
