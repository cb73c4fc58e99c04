import {
  fieldsOf,
  type OperationId,
  operationIds,
  operationOf,
  type Schema,
  validate,
} from '../../src/contract/index.js';
import { InvalidRequestError, PermissionDeniedError, type Ticket } from '../../src/index.js';
import { type Lookup, type ReferenceKind, referenceKinds, type Target } from '../../src/lookup.js';
import type { TicketConditions } from '../../src/ticket-filter.js';
import { type ListPage, listReply, recordReply } from '../results/data-replies.js';
import { type Reply, ToolInputError } from '../results/reply.js';
import type { Row } from '../results/table.js';
import { cleanLine } from '../text/clean-text.js';
import { readChoice, readFields, readNumber, readString } from './arguments.js';
import { defaultRows, inputSchemaOf, responseShape } from './input-schema.js';
import { columnsOf, descriptions, nounOf, titleOf } from './operation-texts.js';
import { ifAllowed, questions, quoted } from './questions.js';
import { editedHtml, textFields, withNewHtml } from './text-fields.js';
import { describeRead, newBudget, readConditions, readMatching } from './ticket-filters.js';
import {
  type Annotations,
  type Arguments,
  lookupFor,
  type Question,
  type Tool,
  type ToolCall,
  toolNameOf,
} from './tool.js';
import { isUnchanged } from './unchanged.js';

/**
 * Creates one tool per operation in the contract.
 *
 * @param mayHaveDefaultBoard whether tickets can be created without a board
 */
export const operationTools = (mayHaveDefaultBoard: boolean): Tool[] =>
  operationIds.map((id) => operationTool(id, mayHaveDefaultBoard));

function operationTool(id: OperationId, mayHaveDefaultBoard: boolean): Tool {
  return {
    name: toolNameOf(id),
    title: titleOf(id),
    description: descriptions[id] ?? `${operationOf(id).summary}.`,
    inputSchema: inputSchemaOf(id, mayHaveDefaultBoard),
    annotations: annotationsOf(id),
    hasRows: responseShape(id).isList,
    operations: [id],
    alwaysAsks: questions[id] !== undefined,
    run: (args, call) => (operationOf(id).method === 'GET' ? read(id, args, call) : write(id, args, call)),
  };
}

/**
 * GET operations are read-only. PATCH and DELETE operations are destructive. So are notifications, because
 * they can't be undone.
 */
function annotationsOf(id: OperationId): Annotations {
  const { method, idempotent } = operationOf(id);
  if (method === 'GET') return { readOnlyHint: true };
  const destructive = method === 'PATCH' || questions[id] !== undefined;
  return { destructiveHint: destructive, ...(idempotent && { idempotentHint: true }) };
}

async function read(id: OperationId, args: Arguments, call: ToolCall): Promise<Reply> {
  const { isList, fields: known } = responseShape(id);
  const fields = readFields(args, known);
  const perPage = readNumber(args, 'per_page', 1, 200) ?? defaultRows;
  const page = readNumber(args, 'page', 1) ?? 1;
  const conditions = id === 'tickets.list' ? readConditions(args) : undefined;
  const resolved = await withIds(id, args, call);
  if (!isList) {
    const record = (await request(id, resolved, call)) as Row;
    const isHtml = readChoice(args, 'format', ['markdown', 'html']) === 'html';
    const view = {
      fields,
      longText: textFields[id]?.html,
      isHtml,
      textOffset: readNumber(args, 'text_offset', 0),
    };
    return recordReply(`${toolNameOf(id)}:`, record, view);
  }
  const { columns, group } = columnsOf(id, fields, args);
  const range = { page, per_page: perPage };
  const list = conditions
    ? await readFilteredPage(resolved, conditions, range, call)
    : await readPage(id, { ...resolved, ...range }, call);
  return listReply(nounOf(id), list, columns, group);
}

/** Requests a page from the server. If the operation returns the entire list, selects the page locally. */
async function readPage(id: OperationId, args: Arguments & PageArguments, call: ToolCall): Promise<ListPage> {
  if (operationOf(id).paginated) {
    const result = (await request(id, args, call)) as ServerPage;
    const { data, current_page, per_page, total, hasNext } = result;
    return { rows: data, page: current_page, perPage: per_page, total, hasNext };
  }
  return pageOf((await request(id, args, call)) as Row[], args);
}

async function readFilteredPage(
  args: Arguments,
  conditions: TicketConditions,
  range: PageArguments,
  call: ToolCall,
): Promise<ListPage> {
  const query = pick(args, ['board_id', 'q']);
  const found = await readMatching(String(args.project), query, conditions, call, newBudget());
  return { ...pageOf(found.tickets as never, range), note: describeRead(found) };
}

function pageOf(all: readonly Row[], { page, per_page: perPage }: PageArguments): ListPage {
  const end = page * perPage;
  return { rows: all.slice(end - perPage, end), page, perPage, total: all.length, hasNext: end < all.length };
}

interface PageArguments {
  page: number;
  per_page: number;
}

interface ServerPage {
  data: Row[];
  current_page: number;
  per_page: number;
  total: number;
  hasNext: boolean;
}

async function write(id: OperationId, args: Arguments, call: ToolCall): Promise<Reply | Question> {
  const withHtml = withNewHtml(id, args);
  if (isUpdate(id) && Object.keys(payloadOf(id, withHtml, call) ?? {}).length === 0) {
    throw new ToolInputError('nothing to change; pass at least one field');
  }
  const resolved = await withIds(id, withHtml, call);
  const question = questions[id];
  if (question)
    return {
      question: await question(resolved, call),
      target: resolved,
      proceed: () => perform(id, resolved, call),
    };
  const current = await currentOf(id, resolved, call);
  const { html, lost = [] } = withEdit(id, args, current) ?? {};
  const field = textFields[id]?.html;
  const edited = html === undefined || !field ? resolved : { ...resolved, [field]: html };
  const proceed = () => perform(id, edited, call, current);
  if (lost.length === 0) return proceed();
  const losses = `${lost.slice(0, 10).join(', ')}${lost.length > 10 ? `, and ${lost.length - 10} more` : ''}`;
  return {
    question: `${toolNameOf(id)} of ${nameOf(current)} would remove formatting that Markdown can't express: ${cleanLine(losses)}. Continue?`,
    target: edited,
    alternative: `It would remove formatting that Markdown can't express: ${cleanLine(losses)}. Change less with append or replace_text, or pass HTML.`,
    proceed,
  };
}

const isUpdate = (id: OperationId) => operationOf(id).method === 'PATCH';

/**
 * Reads the record that an update changes. Returns undefined if there is no operation that reads it, or if the
 * credential isn't allowed to and the update doesn't edit a text.
 */
async function currentOf(id: OperationId, args: Arguments, call: ToolCall): Promise<Row | undefined> {
  const read = operationIds.find((other) => isUpdate(id) && other === id.replace('update', 'get'));
  if (!read) return undefined;
  const record = request(read, args, call) as Promise<Row>;
  const field = textFields[id];
  return field && args[field.html] !== undefined ? record : ifAllowed(record);
}

/** Applies an edit of a text to its current HTML. Returns undefined if there is nothing to edit. */
function withEdit(id: OperationId, args: Arguments, current: Row | undefined) {
  const field = textFields[id];
  return field && isUpdate(id) ? editedHtml(field, args, String(current?.[field.html] ?? '')) : undefined;
}

async function perform(id: OperationId, args: Arguments, call: ToolCall, current?: Row): Promise<Reply> {
  const name = toolNameOf(id);
  if (current && isUnchanged(payloadOf(id, args, call) ?? {}, current)) {
    return recordReply(`${name}: nothing changed. It already had these values.`, omit(current, unimportant));
  }
  const result = await request(id, args, call);
  const heading = `${name}: done.`;
  if (result === undefined) return { heading };
  if (!Array.isArray(result)) return recordReply(heading, omit(result as Row, unimportant));
  const page = pageOf(result as Row[], { page: 1, per_page: result.length });
  return listReply(nounOf(id), page, columnsOf(id, undefined, args).columns);
}

/** Performs an operation on a record, unless the record already has the values. */
export async function performIfNeeded(id: OperationId, args: Arguments, call: ToolCall) {
  const resolved = await withIds(id, args, call);
  const current = await currentOf(id, resolved, call);
  const isSame = current !== undefined && isUnchanged(payloadOf(id, resolved, call) ?? {}, current);
  return { record: isSame ? current : ((await request(id, resolved, call)) as Row), isUnchanged: isSame };
}

const nameOf = (record: Row | undefined) => quoted(record?.title ?? record?.id);

/** Fields that the model doesn't need after a write. */
const unimportant = ['api_credential_id', 'creator', 'author', 'created_at', 'updated_at'];

const omit = (record: Row, names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

/** Calls an operation with the arguments it defines, ignoring the rest. The arguments contain IDs. */
async function request(id: OperationId, args: Arguments, call: ToolCall): Promise<unknown> {
  if (id === 'tickets.create') return createTicket(args, call);
  const { parameters, query, body, method } = operationOf(id);
  const params = pick(args, parameters as readonly string[]);
  const payload = payloadOf(id, args, call);
  // The body of a DELETE request is optional.
  const isEmpty = !payload || Object.keys(payload).length === 0;
  const sent = query
    ? { query: payload }
    : isEmpty && (method === 'DELETE' || !body)
      ? {}
      : { body: payload };
  return call.client.request(id, { params, ...sent } as never, { signal: call.signal });
}

/** The client knows whether a ticket needs a board, so it checks that. */
async function createTicket(args: Arguments, call: ToolCall): Promise<Ticket> {
  const { client, signal } = call;
  const project = String(args.project);
  const body = payloadOf('tickets.create', args, call) as never;
  if (args.idempotency_key === undefined) return client.tickets.create(project, body, { signal });
  return client.tickets.findOrCreate(project, body, { key: readString(args, 'idempotency_key'), signal });
}

/** Returns the arguments that belong in the query or body. @throws InvalidRequestError if one is invalid */
function payloadOf(
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
  // Reject unknown values here, because `client.request()` would send them to the server. This gives the
  // model faster feedback.
  const checked = validate(schema, payload);
  if (!checked.ok) throw new InvalidRequestError(id, { operation: id, fieldErrors: checked.fieldErrors });
  return payload;
}

/**
 * Replaces names with IDs.
 *
 * @throws InvalidRequestError if an argument is invalid, before anything is looked up
 */
async function withIds(id: OperationId, args: Arguments, call: ToolCall): Promise<Arguments> {
  payloadOf(id, args, call);
  const lookup = lookupFor(call);
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

/** Returns the name itself if it can't be looked up. It must be an ID then. */
async function idOf(kind: ReferenceKind, name: string, target: Target, lookup: Lookup): Promise<string> {
  if (kind === 'board' && !target.project && !name.includes('/')) return name;
  try {
    return await lookup.id(kind, name, target);
  } catch (error) {
    if (error instanceof PermissionDeniedError) return name;
    throw error;
  }
}

const pick = (args: Arguments, names: readonly string[]) =>
  Object.fromEntries(names.filter((name) => Object.hasOwn(args, name)).map((name) => [name, args[name]]));
