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

const lists = [
  'organizations',
  'users',
  'credentials',
  'documentTags',
  'projects',
  'boards',
  'documents',
  'comments',
  'notifications',
] as const satisfies RowList[];

/** The lists in an exported state. */
export const rowLists: readonly RowList[] = [...lists, 'tickets'];

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
    kinds: rowLists.filter((kind) => changed.has(state[kind])),
    boards: [...new Set(Array.from(tickets, (id) => (state.tickets.get(id) as TicketRow).board_id))],
  };
}

const place = (state: State, row: TicketRow): PlacedTicket =>
  row.deleted_at === null ? { ...row, position: positionOf(state, row) } : row;
