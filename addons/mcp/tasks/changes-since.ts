import { counted } from '../../../src/internal.js';
import {
  type Book,
  type Change,
  memoryBook,
  type ReadChangesOptions,
  readChanges,
  TooManyDeletionsError,
} from '../../jobs/index.js';
import { ToolInputError } from '../results/reply.js';
import { cell, table } from '../results/table.js';
import { quote, readString } from '../tools/arguments.js';
import type { Tool, ToolCall } from '../tools/tool.js';

/**
 * Creates the tool that lists a project's changes. The tool keeps the state of the 20 most recent
 * call sequences in memory.
 */
export function changesSince(): Tool {
  const feeds = new Map<string, Feed>();
  let created = 0;

  const start = async (project: string, call: ToolCall): Promise<[Feed, readonly Change[]]> => {
    const feed: Feed = {
      id: `c${++created}`,
      user: call.user,
      project,
      book: memoryBook(),
      calls: 0,
      confirm: async () => {},
    };
    const { changes, commit } = await readChanges({ ...optionsOf(feed, call), initial: 'emit' });
    await commit();
    feeds.set(feed.id, feed);
    for (const [oldest] of feeds) if (feeds.size > maxFeeds) feeds.delete(oldest);
    return [feed, changes];
  };

  const find = (cursor: string, project: string, user: string | undefined): Feed => {
    const [id = '', calls] = cursor.split('.');
    const feed = feeds.get(id);
    if (
      !feed ||
      feed.project !== project ||
      feed.user !== user ||
      ![feed.calls, feed.calls - 1].includes(Number(calls))
    ) {
      throw new ToolInputError(
        `since: ${quote(cursor)} is neither a time nor a current cursor for this project; pass a time, such as "2026-01-05T09:00:00Z", or omit it for a new cursor`,
      );
    }
    return feed;
  };

  return {
    name: 'changes_since',
    description:
      "List changes to a project's tickets and boards since a time, or since the cursor of an earlier call. Omit since to get only a cursor. Never shows comments or who made a change.",
    inputSchema: {
      type: 'object',
      properties: { project: { type: 'string' }, since: { type: 'string' } },
      required: ['project'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
    operations: ['projects.list', 'projects.get', 'boards.list', 'tickets.list', 'tickets.get'],
    async run(args, call) {
      const since = args.since === undefined ? undefined : readString(args, 'since');
      const { id } = await call.lookup.project(readString(args, 'project'));
      const time = since === undefined ? undefined : Date.parse(since);
      if (since !== undefined && Number.isNaN(time))
        return changesOf(find(since, id, call.user), since, call);
      const [feed, records] = await start(id, call);
      const next = `To get later changes, including deletions: since=${cursorOf(feed)}`;
      if (time === undefined)
        return { heading: `Tracking ${counted(records.length, 'record')}.`, hint: next };
      const recent = records.filter(({ after }) => timeOf(after, 'updated_at') >= time).reverse();
      const rows = recent.map(({ type, recordId, after }) => ({
        type: timeOf(after, 'created_at') >= time ? type : type.replace('created', 'updated'),
        name: nameOf(after),
        updated_at: (after as { updated_at?: string }).updated_at,
        id: recordId,
      }));
      const listed = table(rows.slice(0, maxRows), ['type', 'name', 'updated_at', 'id']);
      const { shown } = listed;
      const rest =
        shown < recent.length && 'For the others, use tickets_list with fields title and updated_at.';
      return {
        heading: `${counted(recent.length, 'record')} changed since ${new Date(time).toISOString()}; ${shown} shown, latest first. Deletions, old values, and changes that don't set updated_at are unknown.`,
        data: shown > 0 ? [listed] : undefined,
        hint: [rest, next].filter(Boolean).join(' '),
      };
    },
  };
}

/** A series of calls. Each call passes the cursor from the previous one. */
interface Feed {
  id: string;
  /** The user who started the series. Other users can't continue it. */
  user: string | undefined;
  project: string;
  book: Book;
  /** The number of calls whose changes have been shown. This number is part of the cursor. */
  calls: number;
  /** Marks the changes of the last call as delivered. */
  confirm(): Promise<void>;
}

const maxFeeds = 20;
const maxRows = 50;

const cursorOf = ({ id, calls }: Feed) => `${id}.${calls}`;

const optionsOf = ({ project, book }: Feed, { client, signal }: ToolCall): ReadChangesOptions => ({
  client,
  project,
  book,
  signal,
  include: ['project', 'board', 'ticket'],
});

/**
 * Lists the changes since the last call. They count as delivered when the model passes the new cursor. If the
 * model never received the result, it gets the changes again.
 */
async function changesOf(feed: Feed, cursor: string, call: ToolCall) {
  const isRetry = cursor !== cursorOf(feed);
  if (!isRetry) await feed.confirm();
  const { changes, commit } = await readChanges(optionsOf(feed, call)).catch((error) => {
    if (!(error instanceof TooManyDeletionsError)) throw error;
    throw new ToolInputError(
      'most known records are missing; check the credential, or omit since to start over',
    );
  });
  const rows = changes.slice(0, maxRows).map((change) => ({
    type: change.type,
    name: nameOf(change.after ?? change.before),
    changed: change.fields.map((field) => difference(change, field)).join('; '),
    id: change.recordId,
  }));
  const listed = table(rows, ['type', 'name', 'changed', 'id']);
  const { shown } = listed;
  if (!isRetry) feed.calls++;
  feed.confirm = async () => {
    if (shown > 0) await commit(changes[shown - 1]);
  };
  return {
    heading: `${counted(changes.length, 'change')}${shown < changes.length ? `; ${shown} shown` : ''}. Comments, authors, and values between two calls are unknown.`,
    data: shown > 0 ? [listed] : undefined,
    hint: `${shown < changes.length ? 'More' : 'Later changes'}: since=${cursorOf(feed)}`,
  };
}

const nameOf = (record: object | null): string => {
  const { title, name } = record as { title?: string; name?: string };
  return title ?? name ?? '';
};

const timeOf = (record: object | null, field: string): number =>
  Date.parse((record as Record<string, string>)[field] ?? '');

/**
 * Describes how a field changed, such as `priority: low → high`. For long strings and lists, returns only the
 * field's name.
 */
function difference({ before, after }: Change, field: string): string {
  const [old, now] = [before, after].map((record) => (record as Record<string, unknown>)[field]);
  if (old === undefined || Array.isArray(now)) return field;
  return `${field}: ${cell(field, old, 40)} → ${cell(field, now, 40)}`;
}
