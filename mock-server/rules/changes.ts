import type { Actor } from '../../src/contract/index.js';
import type { BoardRow, CommentRow, CredentialRow, TicketRow } from '../state/rows.js';
import type { State } from '../state/state.js';
import { moveTicket } from '../state/tickets.js';
import { actor } from './views.js';

/**
 * Returns the record with the changes applied and a new `updated_at`. If no value changes, returns the
 * original record.
 */
export function changed<Row extends { updated_at: string }>(
  row: Row,
  changes: Changes<Row>,
  now: string,
): Row {
  const fields = Object.keys(changes) as (keyof Row)[];
  const differs = fields.some(
    (field) => changes[field] !== undefined && !isEqual(row[field], changes[field]),
  );
  if (!differs) return row;
  const next = { ...row, updated_at: now };
  for (const field of fields) {
    const value = changes[field];
    if (value !== undefined) next[field] = value as Row[keyof Row];
  }
  return next;
}

/** The new values, keyed by field. If a value is undefined, the field doesn't change. */
export type Changes<Row> = { [Field in keyof Row]?: Row[Field] | undefined };

/** Returns the new value of `archived_at`. If a record is already archived, its date doesn't change. */
export function archivedAt(before: string | null, archived: boolean | undefined, now: string): string | null {
  if (archived === undefined) return before;
  return archived ? (before ?? now) : null;
}

/** Removes duplicates without changing the order. */
export const unique = (entries: readonly string[]): string[] => [...new Set(entries)];

/** Compares two values. Lists are equal if they contain the same records in the same order. */
function isEqual(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((entry, index) => entry.id === other[index].id);
}

/**
 * Moves a ticket to another board and updates `started_at` and `completed_at` accordingly. Doesn't check the
 * board's WIP limit.
 */
export function moveToBoard(state: State, ticket: TicketRow, board: BoardRow, index: number): TicketRow {
  const now = state.clock.iso();
  const row: TicketRow = {
    ...ticket,
    board_id: board.id,
    started_at: ticket.started_at ?? (board.is_done ? null : now),
    completed_at: board.is_done ? now : null,
    updated_at: now,
  };
  moveTicket(state, row, index);
  return row;
}

export function createComment<Target extends { ticket_id: string } | { document_id: string }>(
  state: State,
  target: Target,
  credential: CredentialRow,
  body_html: string,
): { id: string } & Target & { body_html: string; author: Actor; created_at: string } {
  const comment = {
    id: state.newId(state.comments),
    ...target,
    body_html,
    author: actor(credential),
    created_at: state.clock.iso(),
  };
  state.comments.put(comment.id, comment as CommentRow);
  return comment;
}
