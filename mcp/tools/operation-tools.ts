import {
  fieldsOf,
  type OperationId,
  operationIds,
  operationOf,
  type Schema,
  validate,
} from '../../src/contract/index.js';
import { InvalidRequestError, PermissionDeniedError } from '../../src/index.js';
import { type Lookup, type ReferenceKind, referenceKinds, type Target } from '../../src/lookup.js';
import { type ListPage, listReply, recordReply } from '../results/data-replies.js';
import type { Reply } from '../results/reply.js';
import type { Row } from '../results/table.js';
import { cleanLine } from '../text/clean-text.js';
import { readChoice, readFields, readNumber, readString } from './arguments.js';
import { defaultRows, inputSchemaOf, responseShape } from './input-schema.js';
import { columnsOf, descriptions, nounOf } from './operation-texts.js';
import { questions } from './questions.js';
import { editedHtml, textFields, withNewHtml } from './text-fields.js';
import {
  type Annotations,
  type Arguments,
  lookupFor,
  type Question,
  type Tool,
  type ToolCall,
  toolNameOf,
} from './tool.js';

/** Creates one tool per operation in the contract. */
export const operationTools = (): Tool[] => operationIds.map(operationTool);

function operationTool(id: OperationId): Tool {
  return {
    name: toolNameOf(id),
    description: descriptions[id] ?? `${operationOf(id).summary}.`,
    inputSchema: inputSchemaOf(id),
    annotations: annotationsOf(id),
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
  return listReply(
    nounOf(id),
    await readPage(id, { ...resolved, page, per_page: perPage }, call),
    columns,
    group,
  );
}

/** Requests a page from the server. If the operation returns the entire list, selects the page locally. */
async function readPage(id: OperationId, args: Arguments & PageArguments, call: ToolCall): Promise<ListPage> {
  const { page, per_page: perPage } = args;
  if (operationOf(id).paginated) {
    const result = (await request(id, args, call)) as ServerPage;
    const { data, current_page, per_page, total, hasNext } = result;
    return { rows: data, page: current_page, perPage: per_page, total, hasNext };
  }
  const all = (await request(id, args, call)) as Row[];
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
  const resolved = await withIds(id, withNewHtml(id, args), call);
  const { lost = [], ...edited } = (await withEdit(id, args, resolved, call)) ?? { args: resolved };
  const proceed = () => perform(id, edited.args, call);
  const question = questions[id];
  if (question) return { question: await question(resolved, call), proceed };
  if (lost.length === 0) return proceed();
  const losses = `${lost.slice(0, 10).join(', ')}${lost.length > 10 ? `, and ${lost.length - 10} more` : ''}`;
  return {
    question: `${toolNameOf(id)} would remove formatting that Markdown can't express: ${cleanLine(losses)}. Continue?`,
    alternative: `It would remove formatting that Markdown can't express: ${cleanLine(losses)}. Change less with append or replace_text, or pass HTML.`,
    proceed,
  };
}

/** Applies an edit of a text to its current HTML. Returns undefined if there is nothing to edit. */
async function withEdit(id: OperationId, args: Arguments, resolved: Arguments, call: ToolCall) {
  const field = textFields[id];
  if (!field || operationOf(id).method !== 'PATCH' || resolved[field.html] === undefined) return undefined;
  const current = (await request(id.replace('update', 'get') as OperationId, resolved, call)) as Row;
  const edit = editedHtml(field, args, String(current[field.html] ?? ''));
  return edit && { args: { ...resolved, [field.html]: edit.html }, lost: edit.lost };
}

async function perform(id: OperationId, args: Arguments, call: ToolCall): Promise<Reply> {
  const result = await request(id, args, call);
  const heading = `${toolNameOf(id)}: done.`;
  if (result === undefined) return { heading };
  if (!Array.isArray(result)) return recordReply(heading, omit(result as Row, unimportant));
  const page = {
    rows: result as Row[],
    page: 1,
    perPage: result.length,
    total: result.length,
    hasNext: false,
  };
  return listReply(nounOf(id), page, columnsOf(id, undefined, args).columns);
}

/** Fields that the model doesn't need after a write. */
const unimportant = ['api_credential_id', 'creator', 'author', 'created_at', 'updated_at'];

const omit = (record: Row, names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

/** Calls an operation with the arguments it defines, ignoring the rest. The arguments contain IDs. */
async function request(id: OperationId, args: Arguments, call: ToolCall): Promise<unknown> {
  const { parameters, query, body, method } = operationOf(id);
  const params = pick(args, parameters as readonly string[]);
  const payload = payloadOf(id, args);
  // A DELETE body is optional.
  const isEmpty = !payload || Object.keys(payload).length === 0;
  const sent = query
    ? { query: payload }
    : isEmpty && (method === 'DELETE' || !body)
      ? {}
      : { body: payload };
  return call.client.request(id, { params, ...sent } as never, { signal: call.signal });
}

/** Returns the arguments that belong in the query or body. @throws InvalidRequestError if one is invalid */
function payloadOf(id: OperationId, args: Arguments): Record<string, unknown> | undefined {
  const { query, body } = operationOf(id);
  const schema = (query ?? body) as Schema<unknown, never> | undefined;
  if (!schema) return undefined;
  const payload = pick(args, [...fieldsOf(schema).keys()]);
  // `client.request()` sends unknown values to the server. Rejecting them here gives the model faster
  // feedback.
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
  payloadOf(id, args);
  const lookup = lookupFor(call);
  const result: Record<string, unknown> = { ...args };
  const parameter = (operationOf(id).parameters as readonly string[]).find((name) => name !== 'organization');
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
