import type { OperationId } from '../../../src/contract/index.js';
import type { Arguments } from './tool.js';

/**
 * Model-facing tool descriptions for operations whose summaries aren't enough. Each description says when to
 * use the tool, what it returns, and its limits. All descriptions are sent in every conversation, so rules
 * that apply to all tools are in the server's instructions instead.
 */
export const descriptions: Readonly<Partial<Record<OperationId, string>>> = {
  'projects.list': 'List projects with IDs and keys.',
  'projects.create': 'Create a project. The key is a short code that never changes.',
  'projects.get': 'Get a project.',
  'projects.update': 'Update a project. archived: true archives it.',
  'projects.delete': 'Delete a project, including its boards and tickets. Prefer archiving it.',
  'projects.members.list': "List the users (with IDs) who can be assigned to a project's tickets.",
  'projects.labels.list': "List a project's labels with IDs.",
  'projects.analytics.get': "Get a project's ticket counts: total, done, open, overdue, and per board.",
  'projects.tags.list': "List the tags on a project's tickets, with ticket counts.",
  'boards.list': "List a project's boards (columns) in order, with IDs and WIP limits.",
  'boards.create': 'Create a board at the end of a project.',
  'boards.reorder': "Reorder a project's boards. board_ids must contain every board exactly once.",
  'boards.update': 'Update a board. wip_limit: null removes the limit.',
  'boards.delete': 'Delete a board. move_to_board_id is required if it has tickets.',
  'tickets.list':
    'List the tickets in a project or board, without descriptions. q searches titles and descriptions.',
  'tickets.create':
    'Create a ticket at the end of a board. Pass board_id or board_slug, not both. Fails if the WIP limit is reached.',
  'tickets.reorder': "Reorder a board's tickets. ticket_ids must contain every ticket exactly once.",
  'tickets.get': 'Get a ticket with its description. Comments cannot be read.',
  'tickets.update': 'Update a ticket. Lists are replaced, not merged. To change the board, use tickets_move.',
  'tickets.delete': 'Delete a ticket. Prefer archived: true in tickets_update.',
  'tickets.move':
    'Move a ticket to a board. position is zero-based and defaults to the end of the board. Fails if the WIP limit is reached.',
  'tickets.comments.create': 'Comment on a ticket.',
  'documents.list': 'List documents, without content. q searches titles, captions, and content.',
  'documents.create': 'Create a document. It is a draft unless status is published.',
  'documents.get': 'Get a document with its content.',
  'documents.update': 'Update, publish, or archive a document. Lists are replaced, not merged.',
  'documents.delete': 'Delete a document. Prefer archived: true in documents_update.',
  'documents.comments.create': 'Comment on a document.',
  'notifications.send': 'Notify users. Cannot be undone. url is a path under /app.',
};

/** The default columns of each list: the fields that a model needs to choose a row and use it. */
const defaultColumns: Partial<Record<OperationId, readonly string[]>> = {
  'projects.list': ['id', 'key', 'name'],
  'projects.members.list': ['id', 'name', 'role'],
  'projects.labels.list': ['id', 'name'],
  'projects.tags.list': ['id', 'name', 'ticket_count'],
  'boards.list': ['id', 'name', 'wip_limit', 'is_done', 'is_hidden'],
  'boards.reorder': ['id', 'name'],
  'tickets.list': ['id', 'number', 'title', 'priority', 'due_at', 'assignees'],
  'documents.list': ['id', 'title', 'status', 'tags', 'updated_at'],
};

/**
 * Chooses the columns to show. Groups tickets from several boards by board, because repeating the board ID in
 * each row costs tokens.
 */
export function columnsOf(id: OperationId, fields: readonly string[] | undefined, args: Arguments) {
  if (fields) return { columns: ['id', ...fields.filter((field) => field !== 'id')] };
  const columns = defaultColumns[id] ?? ['id', 'name'];
  const group = id === 'tickets.list' && args.board_id === undefined ? 'board_id' : undefined;
  return { columns, group };
}

/** Returns `tickets` for `tickets.list`, and `members` for `projects.members.list`. */
export const nounOf = (id: OperationId): string => id.split('.').at(-2) ?? id;

/** Returns `List project members` for `projects.members.list`. */
export function titleOf(id: OperationId): string {
  const words = id.split('.');
  const verb = words.pop() ?? '';
  const isPlural = verb === 'list' || verb === 'reorder';
  const nouns = words.map((noun, index) =>
    (isPlural && index === words.length - 1) || noun === 'analytics' ? noun : noun.replace(/s$/, ''),
  );
  return sentence([verb, ...nouns].join(' '));
}

/** Returns `Find tickets` for `find_tickets`. */
export const sentence = (name: string): string =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');
