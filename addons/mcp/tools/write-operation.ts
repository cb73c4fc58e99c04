import { type OperationId, operationIds, operationOf } from '../../../src/contract/index.js';
import { addMark, ifAllowed, readMark, removeMark } from '../../../src/internal.js';
import { describeDeletion } from '../../shared/describe-deletion.js';
import { asSet, readUpdateField } from '../../shared/update-fields.js';
import { listReply, recordReply } from '../results/data-replies.js';
import { type Reply, ToolInputError } from '../results/reply.js';
import type { Row } from '../results/table.js';
import { cleanLine, cleanText } from '../text/clean-text.js';
import { readString } from './arguments.js';
import { columnsOf, nounOf } from './operation-texts.js';
import { pageOf } from './read-operation.js';
import { payloadOf, request, withIds } from './request.js';
import { editedHtml, textFields, withNewHtml } from './text-fields.js';
import { type Arguments, type Question, type ToolCall, toolNameOf } from './tool.js';

/** Performs an operation that changes data, or returns a question for the user. */
export async function write(id: OperationId, args: Arguments, call: ToolCall): Promise<Reply | Question> {
  const withHtml = withNewHtml(id, args);
  if (isUpdate(id) && Object.keys(payloadOf(id, withHtml, call) ?? {}).length === 0) {
    throw new ToolInputError('nothing to change; pass at least one field');
  }
  const resolved = await withIds(id, withHtml, call);
  if (alwaysAsks(id)) {
    const question = await questionFor(id, resolved, call);
    return { question, target: resolved, proceed: () => perform(id, resolved, call) };
  }
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
 * Reads the record that an update changes. Returns undefined if no operation reads the record. Also returns
 * undefined if the credential isn't allowed to read it and the update doesn't edit text.
 */
async function currentOf(id: OperationId, args: Arguments, call: ToolCall): Promise<Row | undefined> {
  const read = operationIds.find((other) => isUpdate(id) && other === id.replace('update', 'get'));
  if (!read) return undefined;
  const record = request(read, args, call) as Promise<Row>;
  const field = textFields[id];
  return field && args[field.html] !== undefined ? record : ifAllowed(record);
}

/**
 * Applies a text edit to the current HTML, but keeps the paragraph with the record's key. Returns undefined if there
 * is nothing to edit.
 */
function withEdit(id: OperationId, args: Arguments, current: Row | undefined) {
  const field = textFields[id];
  if (!field || !isUpdate(id)) return undefined;
  const html = String(current?.[field.html] ?? '');
  const kind = id === 'tickets.update' ? 'ticket' : 'document';
  const mark = readMark(html, kind);
  const edited = editedHtml(field, args, mark ? removeMark(html, kind) : html);
  return edited && mark ? { ...edited, html: addMark(edited.html, mark) } : edited;
}

async function perform(id: OperationId, args: Arguments, call: ToolCall, current?: Row): Promise<Reply> {
  const name = toolNameOf(id);
  if (current && isUnchanged(payloadOf(id, args, call) ?? {}, current)) {
    return recordReply(`${name}: nothing changed. It already had these values.`, omit(current, unimportant));
  }
  if (id === 'tickets.create' && args.idempotency_key !== undefined) return findOrCreateTicket(args, call);
  const result = await request(id, args, call);
  const heading = `${name}: done.`;
  if (result === undefined) return { heading };
  if (!Array.isArray(result)) return recordReply(heading, omit(result as Row, unimportant));
  const page = pageOf(result as Row[], { page: 1, per_page: result.length });
  return listReply(nounOf(id), page, columnsOf(id, undefined, args).columns);
}

/**
 * Finds or creates a ticket. The result states whether the ticket is new, so that an agent doesn't announce
 * an existing one.
 */
async function findOrCreateTicket(args: Arguments, call: ToolCall): Promise<Reply> {
  const body = payloadOf('tickets.create', args, call) as never;
  let isNew = false;
  const ticket = await call.client.tickets.findOrCreate(String(args.project), body, {
    key: readString(args, 'idempotency_key'),
    signal: call.signal,
    onCreate: () => {
      isNew = true;
    },
  });
  const outcome = isNew
    ? 'done. It created the ticket.'
    : 'nothing changed. It found the ticket that was created with this key.';
  return recordReply(`tickets_create: ${outcome}`, omit(ticket as unknown as Row, unimportant));
}

/**
 * Performs an operation on a record, unless the record already has the new values. The arguments must contain
 * IDs, not names.
 */
export async function performIfNeeded(id: OperationId, args: Arguments, call: ToolCall) {
  const current = await currentOf(id, args, call);
  const isSame = current !== undefined && isUnchanged(payloadOf(id, args, call) ?? {}, current);
  return { record: isSame ? current : ((await request(id, args, call)) as Row), isUnchanged: isSame };
}

const nameOf = (record: Row | undefined) => quoted(record?.title ?? record?.id);

/** Fields that the model doesn't need after a write. */
const unimportant = ['api_credential_id', 'creator', 'author', 'created_at', 'updated_at'];

const omit = (record: Row, names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

/** Whether a record already has all of the values in an update. */
export const isUnchanged = (update: Row, record: Row): boolean =>
  Object.entries(update).every(([field, value]) => {
    const current = readUpdateField(record, field);
    return field.endsWith('_at') && value !== null
      ? Date.parse(String(value)) === Date.parse(String(current))
      : JSON.stringify(asSet(value)) === JSON.stringify(asSet(current));
  });

/** Whether an operation deletes data or notifies users, so that the user must always confirm it. */
export const alwaysAsks = (id: OperationId): boolean =>
  operationOf(id).method === 'DELETE' || id === 'notifications.send';

/**
 * Creates the question for an operation that always requires confirmation. It names everything that the call
 * affects. Fails if a record doesn't exist. The arguments contain IDs.
 */
async function questionFor(id: OperationId, args: Arguments, call: ToolCall): Promise<string> {
  const { client, signal, lookup } = call;
  if (id === 'notifications.send') {
    const { user_ids, title, body, url } = args;
    const users = await ifAllowed(lookup.users());
    const names = (user_ids as string[]).map((user) => cleanLine(users?.find(user).name ?? user));
    const lines = cleanText(String(body)).replace(/^/gm, '> ');
    const link = url ? `\nLink: ${cleanLine(String(url))}` : '';
    return `Send this notification to ${names.join(', ')}?\nTitle: ${cleanLine(String(title))}\n${lines}${link}`;
  }
  const [parameter = ''] = operationOf(id).parameters;
  const target = args.move_to_board_id as string | undefined;
  const context = { client, signal, lookup, clean: cleanLine };
  return `Delete ${await describeDeletion(id, String(args[parameter]), context, target)}?`;
}

/** Quotes a user-provided name on one line. */
const quoted = (value: unknown): string => JSON.stringify(cleanLine(String(value)));
