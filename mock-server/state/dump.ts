import type { OrderedLists } from '../store/ordered-lists.js';
import type { Table } from '../store/table.js';
import { putDocument } from './documents.js';
import { requireDump } from './dump-schema.js';
import type { ProjectRow } from './rows.js';
import type { State } from './state.js';
import type { RowList, StateDump } from './state-dump.js';
import { addTicket, ticketTagKey } from './tickets.js';

/** Converts the entire state to JSON-compatible data. */
export function dumpState(state: State): StateDump {
  const rows = <List extends RowList>(list: List, ids: Iterable<string> = state[list].ids()) =>
    Array.from(ids, (id) => exportRow[list](state, id));
  return {
    format: 'worktrack-state',
    version: 1,
    clock: state.clock.capture(),
    ...state.counters(),
    settings: state.settings,
    organizations: rows('organizations'),
    users: rows('users'),
    credentials: rows('credentials'),
    documentTags: rows('documentTags'),
    projects: rows('projects', liveFirst(state.projects, state.projectOrder, state.organizations)),
    boards: rows('boards'),
    tickets: rows('tickets', liveFirst(state.tickets, state.ticketOrder, state.boards)),
    documents: rows('documents'),
    comments: rows('comments'),
    notifications: rows('notifications'),
  };
}

/** For each list, a function that converts a row to JSON-compatible data. */
export const exportRow: { [List in RowList]: (state: State, id: string) => StateDump[List][number] } = {
  organizations: (state, id) => ({
    ...rowOf(state.organizations, id),
    users: state.userOrder.slice(state.organizations.slotOf(id)).map((slot) => state.users.at(slot).id),
  }),
  users: (state, id) => rowOf(state.users, id),
  credentials(state, token) {
    const row = rowOf(state.credentials, token);
    return { ...row, scopes: [...row.scopes] };
  },
  documentTags: (state, key) => ({ key, tag: rowOf(state.documentTags, key) }),
  projects(state, id) {
    const row = rowOf(state.projects, id);
    return {
      ...row,
      members: [...row.members],
      boards: row.boards.map((slot) => state.boards.at(slot).id),
      tags: state.tagOrder.slice(state.projects.slotOf(id)).map((slot) => state.ticketTags.at(slot).tag),
    };
  },
  boards: (state, id) => rowOf(state.boards, id),
  tickets: (state, id) => rowOf(state.tickets, id),
  documents: (state, id) => rowOf(state.documents, id),
  comments: (state, id) => rowOf(state.comments, id),
  notifications: (state, id) => rowOf(state.notifications, id),
};

const rowOf = <Row>(table: Table<Row>, id: string): Row => table.get(id) as Row;

/** Returns the IDs of a table's rows: first the live ones in each parent's order, then the deleted ones. */
const liveFirst = (
  table: Table<{ id: string; deleted_at: string | null }>,
  order: OrderedLists,
  parents: Table<unknown>,
): string[] => [
  ...[...parents.ids()].flatMap((id) => order.slice(parents.slotOf(id)).map((slot) => table.at(slot).id)),
  ...[...table.values()].filter(({ deleted_at }) => deleted_at !== null).map(({ id }) => id),
];

/**
 * Loads a state exported by {@link dumpState} into an empty one.
 *
 * @throws TypeError if the exported state is invalid
 */
export function loadDump(state: State, dump: StateDump): void {
  requireDump(dump);
  state.clock.restore(dump.clock);
  state.setCounters(dump);
  if (dump.settings) state.setSettings(dump.settings);
  for (const { users, ...row } of dump.organizations) {
    state.organizations.put(row.id, row);
    const slot = state.organizations.slotOf(row.id);
    for (const id of users) state.userOrder.append(slot, state.users.assignSlot(id));
  }
  for (const row of dump.users) state.users.put(row.id, row);
  for (const row of dump.credentials) {
    state.credentials.put(row.token, { ...row, scopes: new Set(row.scopes) });
  }
  for (const { key, tag } of dump.documentTags) state.documentTags.put(key, tag);
  for (const row of dump.projects) loadProject(state, row);
  for (const row of dump.boards) state.boards.put(row.id, row);
  for (const row of dump.tickets) {
    if (row.deleted_at === null) addTicket(state, row);
    else state.tickets.put(row.id, row);
  }
  for (const row of dump.documents) putDocument(state, row);
  for (const row of dump.comments) state.comments.put(row.id, row);
  for (const row of dump.notifications) state.notifications.put(row.id, row);
}

function loadProject(state: State, { members, boards, tags, ...row }: StateDump['projects'][number]): void {
  const project: ProjectRow = {
    ...row,
    members: new Set(members),
    boards: boards.map((id) => state.boards.assignSlot(id)),
  };
  state.projects.put(project.id, project);
  const slot = state.projects.slotOf(project.id);
  for (const tag of tags) {
    const key = ticketTagKey(row.id, tag.name);
    state.ticketTags.put(key, { tag, count: 0 });
    state.tagOrder.append(slot, state.ticketTags.slotOf(key));
  }
  if (project.deleted_at === null) {
    state.projectOrder.append(state.organizations.slotOf(project.organization_id), slot);
  }
}
