import type { OperationId } from '../../src/contract/index.js';
import type { Arguments } from './tool.js';

/** The default columns of each list: the fields that a model needs to choose a row and act on it. */
const defaultColumns: Partial<Record<OperationId, readonly string[]>> = {
  'projects.list': ['id', 'key', 'name', 'archived_at'],
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
