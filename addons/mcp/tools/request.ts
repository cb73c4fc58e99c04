import {
  fieldsOf,
  type OperationId,
  operationOf,
  type Schema,
  validate,
} from '../../../src/contract/index.js';
import { InvalidRequestError } from '../../../src/index.js';
import { ifAllowed } from '../../../src/internal.js';
import { type Lookup, type ReferenceKind, referenceKinds, type Target } from '../../shared/lookup.js';
import { readString } from './arguments.js';
import type { Arguments, ToolCall } from './tool.js';

/**
 * Calls an operation with the arguments that it defines, and ignores the rest. The arguments must contain
 * IDs, not names.
 */
export async function request(id: OperationId, args: Arguments, call: ToolCall): Promise<unknown> {
  const { parameters, query, body, method } = operationOf(id);
  const params = pick(args, parameters as readonly string[]);
  const payload = payloadOf(id, args, call);
  // Unlike `client.request()`, this method checks whether a ticket needs a board.
  if (id === 'tickets.create')
    return call.client.tickets.create(String(args.project), payload as never, { signal: call.signal });
  const input: Record<string, unknown> = { params };
  const isEmpty = !payload || Object.keys(payload).length === 0;
  if (query) input.query = payload;
  else if (body && !(isEmpty && method === 'DELETE')) input.body = payload;
  return call.client.request(id, input as never, { signal: call.signal });
}

/** Returns the arguments that belong in the query or body. @throws InvalidRequestError if one is invalid */
export function payloadOf(
  id: OperationId,
  args: Arguments,
  { mayHaveDefaultBoard }: ToolCall,
): Record<string, unknown> | undefined {
  const { query, body, bodyOnDefaultBoard } = operationOf(id);
  const schema = (query ?? ((mayHaveDefaultBoard && bodyOnDefaultBoard) || body)) as
    | Schema<unknown, never>
    | undefined;
  if (!schema) return undefined;
  const payload = pick(args, [...fieldsOf(schema).keys()]);
  // Reject unknown values here, because `client.request()` would send them to the server. The model then gets
  // feedback sooner.
  const checked = validate(schema, payload);
  if (!checked.ok) throw new InvalidRequestError(id, { operation: id, fieldErrors: checked.fieldErrors });
  return payload;
}

/**
 * Replaces names with IDs.
 *
 * @throws InvalidRequestError if an argument is invalid, before anything is looked up
 */
export async function withIds(id: OperationId, args: Arguments, call: ToolCall): Promise<Arguments> {
  payloadOf(id, args, call);
  const { lookup } = call;
  const result: Record<string, unknown> = { ...args };
  const parameter = operationOf(id).parameters.find((name) => name !== 'organization');
  let target: Target = { id: undefined };
  if (parameter) {
    target = await lookup.target(parameter, readString(args, parameter));
    result[parameter] = target.id;
  }
  for (const [field, kind] of Object.entries(referenceKinds)) {
    if (args[field] === undefined || args[field] === null) continue;
    const ids = [];
    for (const name of [args[field]].flat() as string[]) ids.push(await idOf(kind, name, target, lookup));
    result[field] = Array.isArray(args[field]) ? ids : ids[0];
  }
  return result;
}

/** Returns a record's ID. If the name can't be looked up, it must be an ID and is returned as is. */
async function idOf(kind: ReferenceKind, name: string, target: Target, lookup: Lookup): Promise<string> {
  if (kind === 'board' && !target.project && !name.includes('/')) return name;
  return (await ifAllowed(lookup.id(kind, name, target))) ?? name;
}

export const pick = (args: Arguments, names: readonly string[]) =>
  Object.fromEntries(names.filter((name) => Object.hasOwn(args, name)).map((name) => [name, args[name]]));
