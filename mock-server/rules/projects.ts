import { addBoard } from '../state/boards.js';
import type { ProjectRow } from '../state/rows.js';
import { ticketCount } from '../state/tickets.js';
import { archivedAt, changed } from './changes.js';
import { canSee } from './relations.js';
import type { RulesOf } from './rule.js';
import { viewProject } from './views.js';

export const projectRules: RulesOf<'projects'> = {
  'projects.list': ({ state, organization }) =>
    state.projectOrder
      .slice(state.organizations.slotOf(organization.id))
      .map((slot) => viewProject(state.projects.at(slot))),

  'projects.create'({ state, organization, body }) {
    const now = state.clock.iso();
    const row: ProjectRow = {
      id: state.newId(state.projects),
      organization_id: organization.id,
      name: body.name,
      key: body.key,
      description: body.description ?? null,
      archived_at: null,
      created_at: now,
      updated_at: now,
      deleted_at: null,
      members: new Set(),
      labels: [],
      boards: [],
      lastNumber: 0,
    };
    state.projects.put(row.id, row);
    state.projectOrder.append(state.organizations.slotOf(organization.id), state.projects.slotOf(row.id));
    for (const board of state.settings.defaultBoards) addBoard(state, row.id, board);
    return viewProject(row);
  },

  'projects.get': ({ project }) => viewProject(project),

  'projects.update'({ state, project, body: { archived, ...body } }) {
    const now = state.clock.iso();
    const row = changed(
      project,
      { ...body, archived_at: archivedAt(project.archived_at, archived, now) },
      now,
    );
    state.projects.put(row.id, row);
    return viewProject(row);
  },

  'projects.delete'({ state, project }) {
    const slot = state.projects.slotOf(project.id);
    const organization = state.organizations.slotOf(project.organization_id);
    const index = state.projectOrder.slice(organization).indexOf(slot);
    state.projectOrder.remove(organization, index);
    state.projects.put(project.id, { ...project, deleted_at: state.clock.iso() });
  },

  'projects.members.list': ({ state, project }) =>
    state.userOrder
      .slice(state.organizations.slotOf(project.organization_id))
      .map((slot) => state.users.at(slot))
      .filter(({ id }) => canSee(state, project, id))
      .map(({ id, name, email, role }) => ({ id, name, email, role })),

  'projects.labels.list': ({ project }) => [...project.labels],

  'projects.tags.list': ({ state, project }) =>
    state.tagOrder
      .slice(state.projects.slotOf(project.id))
      .map((slot) => state.ticketTags.at(slot))
      .filter(({ count }) => count > 0)
      .map(({ tag, count }) => ({ id: tag.id, name: tag.name, ticket_count: count })),

  'projects.analytics.get'({ state, project }) {
    const now = state.clock.milliseconds();
    const boards = project.boards.map((slot) => state.boards.at(slot));
    const lines = boards.map(({ id, name, is_done }) => ({
      board_id: id,
      board_name: name,
      count: ticketCount(state, id),
      done: is_done,
    }));
    const total = sum(lines.map(({ count }) => count));
    const done = sum(lines.map((line) => (line.done ? line.count : 0)));
    return {
      total,
      done,
      open: total - done,
      overdue: sum(boards.map(({ id, is_done }) => (is_done ? 0 : state.dueTickets.countBelow(id, now)))),
      completion_percentage: total === 0 ? 0 : Math.round((done / total) * 100),
      by_board: lines,
    };
  },
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
