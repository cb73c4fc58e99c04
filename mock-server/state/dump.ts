import { putDocument } from './documents.js';
import { requireDump } from './dump-schema.js';
import type { ProjectRow } from './rows.js';
import type { State } from './state.js';
import type { StateDump } from './state-dump.js';
import { addTicket, ticketTagKey } from './tickets.js';

/** Converts the entire state to JSON-compatible data. */
export function dumpState(state: State): StateDump {
  const tickets = [...state.boards.values()].flatMap(({ id }) =>
    state.ticketOrder.slice(state.boards.slotOf(id)).map((slot) => state.tickets.at(slot)),
  );
  return {
    format: 'worktrack-state',
    version: 1,
    clock: state.clock.capture(),
    ...state.counters(),
    settings: state.settings.get(),
    organizations: [...state.organizations.values()].map((row) => ({
      ...row,
      users: state.userOrder.slice(state.organizations.slotOf(row.id)).map((slot) => state.users.at(slot).id),
    })),
    users: [...state.users.values()],
    credentials: [...state.credentials.values()].map((row) => ({ ...row, scopes: [...row.scopes] })),
    documentTags: [...state.documentTags.entries()].map(([key, tag]) => ({ key, tag })),
    projects: projectsOf(state).map((row) => ({
      ...row,
      members: [...row.members],
      boards: row.boards.map((slot) => state.boards.at(slot).id),
      tags: state.tagOrder.slice(state.projects.slotOf(row.id)).map((slot) => state.ticketTags.at(slot).tag),
    })),
    boards: [...state.boards.values()],
    tickets: [...tickets, ...[...state.tickets.values()].filter(({ deleted_at }) => deleted_at !== null)],
    documents: [...state.documents.values()],
    comments: [...state.comments.values()],
    notifications: [...state.notifications.values()],
  };
}

/**
 * Loads a state from {@link dumpState} into an empty state.
 *
 * @throws TypeError if the exported state is invalid
 */
export function loadDump(state: State, dump: StateDump): void {
  requireDump(dump);
  state.clock.restore(dump.clock);
  state.setCounters(dump);
  if (dump.settings) state.settings.set(dump.settings);
  for (const { users, ...row } of dump.organizations) {
    state.organizations.put(row.id, row);
    const slot = state.organizations.slotOf(row.id);
    for (const id of users) state.userOrder.append(slot, state.users.slotOf(id));
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

function projectsOf(state: State): ProjectRow[] {
  const live = [...state.organizations.values()].flatMap(({ id }) =>
    state.projectOrder.slice(state.organizations.slotOf(id)).map((slot) => state.projects.at(slot)),
  );
  return [...live, ...[...state.projects.values()].filter(({ deleted_at }) => deleted_at !== null)];
}

function loadProject(state: State, { members, boards, tags, ...row }: StateDump['projects'][number]): void {
  const project: ProjectRow = {
    ...row,
    members: new Set(members),
    boards: boards.map((id) => state.boards.slotOf(id)),
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
