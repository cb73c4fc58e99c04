import type { ChangeLog } from '../store/epoch.js';
import { exportRow } from './dump.js';
import type { TicketRow, UserRow } from './rows.js';
import type { State } from './state.js';
import type { RowList, StateDump } from './state-dump.js';
import { positionOf } from './tickets.js';

/** What has changed in a state: the clock, the counters, and each row that was added or replaced. */
export type StateChanges = Pick<StateDump, 'clock' | 'ids' | 'ordinal'> & {
  [List in Exclude<RowList, 'tickets'>]?: StateDump[List];
} & { tickets?: PlacedTicket[] };

/** A ticket and, unless it's deleted, its index on its board. */
type PlacedTicket = TicketRow & { position?: number };

/** The field that identifies a row. */
const keys: Record<Exclude<RowList, 'tickets'>, string> = {
  organizations: 'id',
  users: 'id',
  credentials: 'token',
  documentTags: 'key',
  projects: 'id',
  boards: 'id',
  documents: 'id',
  comments: 'id',
  notifications: 'id',
};
const lists = Object.keys(keys) as (keyof typeof keys)[];

/** Describes logged changes. Returns undefined if `dumpState` must export the entire state. */
export function takeChanges(state: State, log: ChangeLog): StateChanges | undefined {
  const changed = log.take();
  if (!changed) return undefined;
  const idsIn = (list: RowList | 'ticketTags') => [...(changed.get(state[list]) ?? [])];
  const tickets = idsIn('tickets').map((id) => state.tickets.get(id) as TicketRow);
  // Users are exported as part of their organization, and tags as part of their project. New tags are added
  // to a project when a ticket or the project itself changes.
  const containers: Partial<Record<RowList, string[]>> = {
    organizations: idsIn('users').map((id) => (state.users.get(id) as UserRow).organization_id),
    projects: idsIn('ticketTags').length > 0 ? tickets.map(({ project_id }) => project_id) : [],
  };
  const rows = lists.map((list) => {
    const ids = new Set([...idsIn(list), ...(containers[list] ?? [])]);
    return [list, ids.size > 0 ? Array.from(ids, (id) => exportRow[list](state, id)) : undefined];
  });
  return {
    clock: state.clock.capture(),
    ...state.counters(),
    ...Object.fromEntries(rows),
    ...(tickets.length > 0 && { tickets: tickets.map((row) => place(state, row)) }),
  };
}

/** Which records have changed and must be reloaded. */
export interface ChangedRecords {
  /** The kinds of records. */
  kinds: RowList[];
  /**
   * The boards on which tickets were added, replaced, or deleted. If a ticket was moved, its previous board
   * isn't included, even though that board's ticket count changed.
   */
  boards: string[];
}

/** Summarizes logged changes. Returns undefined if any record may have changed. */
export function summarizeChanges(state: State, log: ChangeLog): ChangedRecords | undefined {
  const changed = log.take();
  if (!changed) return undefined;
  const tickets = changed.get(state.tickets) ?? [];
  return {
    kinds: ([...lists, 'tickets'] as const).filter((kind) => changed.has(state[kind])),
    boards: [...new Set(Array.from(tickets, (id) => (state.tickets.get(id) as TicketRow).board_id))],
  };
}

const place = (state: State, row: TicketRow): PlacedTicket =>
  row.deleted_at === null ? { ...row, position: positionOf(state, row) } : row;

/** Applies changes to an exported state, in order. */
export function applyChanges(dump: StateDump, log: readonly StateChanges[]): StateDump {
  const { clock, ids, ordinal } = log.at(-1) ?? dump;
  return {
    ...dump,
    ...Object.fromEntries(
      lists.map((list) => {
        const rows = [dump, ...log].flatMap((part): readonly object[] => part[list] ?? []);
        return [list, [...new Map(rows.map((row) => [row[keys[list] as never], row])).values()]];
      }),
    ),
    tickets: applyTickets(dump.tickets, log),
    clock,
    ids,
    ordinal,
  };
}

function applyTickets(rows: readonly TicketRow[], log: readonly StateChanges[]): TicketRow[] {
  const tickets = new Map<string, TicketRow>();
  /** The IDs of the live tickets on each board, in order. */
  const boards = new Map<string, string[]>();
  const idsOn = (board: string) => boards.get(board) ?? (boards.set(board, []).get(board) as string[]);
  for (const row of rows) {
    tickets.set(row.id, row);
    if (row.deleted_at === null) idsOn(row.board_id).push(row.id);
  }
  for (const { tickets: changed = [] } of log) {
    for (const { id } of changed) {
      const before = tickets.get(id);
      if (before?.deleted_at !== null) continue;
      const ids = idsOn(before.board_id);
      ids.splice(ids.indexOf(id), 1);
    }
    // The unchanged tickets on a board keep their order, so each changed ticket can be inserted at its final
    // index.
    for (const { position, ...row } of changed.toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0))) {
      tickets.set(row.id, row);
      if (position !== undefined) idsOn(row.board_id).splice(position, 0, row.id);
    }
  }
  const live = [...boards.values()].flat().map((id) => tickets.get(id) as TicketRow);
  return [...live, ...[...tickets.values()].filter(({ deleted_at }) => deleted_at !== null)];
}
