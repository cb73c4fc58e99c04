import type { Actor, Priority } from '../../src/contract/index.js';
import { canSee } from '../rules/relations.js';
import type { BoardRow, ProjectRow, TicketRow } from '../state/rows.js';
import type { State } from '../state/state.js';
import { addTicket, ticketTagKey } from '../state/tickets.js';
import type { ProjectContext } from './project-context.js';
import { describeOrganization, idFor, type SeedContext, timestampsOf, uniqueById } from './seed-context.js';
import { SeedError } from './seed-error.js';
import type { TagSeed, TicketSeed } from './world.js';

/** Adds a ticket at the end of a board, ignoring the board's WIP limit. */
export function loadTicket(
  context: SeedContext,
  board: BoardRow,
  seed: TicketSeed,
  { labels, numbers }: Pick<ProjectContext, 'labels' | 'numbers'>,
): TicketRow {
  const { state, path } = context;
  for (const name of seed.tags ?? []) addTag(state, board.project_id, { name });
  const project = state.projects.get(board.project_id) as ProjectRow;
  const { number = project.lastNumber + 1 } = seed;
  if (numbers.has(number)) {
    throw new SeedError(`${path}.number`, `${number} is taken by another ticket of the project`);
  }
  numbers.add(number);
  const times = timestampsOf(state, seed);
  const inProject = `project ${JSON.stringify(project.name)}`;
  const row: TicketRow = {
    id: idFor(state, state.tickets, seed.id, path),
    project_id: project.id,
    board_id: board.id,
    number,
    title: seed.title,
    description_html: seed.description_html ?? null,
    priority: (seed.priority ?? 'normal') as Priority,
    due_at: seed.due_at ?? null,
    started_at: seed.started_at ?? null,
    completed_at:
      seed.completed_at === undefined && board.is_done ? times.created_at : (seed.completed_at ?? null),
    api_credential_id: null,
    creator: creatorOf(context, seed),
    assignees: uniqueById(
      (seed.assignees ?? []).map((text, index) => assignee(context, project, text, `assignees[${index}]`)),
    ),
    labels: uniqueById(
      (seed.labels ?? []).map((text, index) => labels.find(text, `${path}.labels[${index}]`, inProject)),
    ),
    tags: [...new Set(seed.tags ?? [])].flatMap(
      (name) => state.ticketTags.get(ticketTagKey(project.id, name))?.tag ?? [],
    ),
    archived_at: seed.archived_at ?? null,
    ...times,
    deleted_at: null,
  };
  addTicket(state, row);
  return row;
}

/** Adds a tag to the project, unless it has one with that name. */
export function addTag(state: State, projectId: string, { id, name }: TagSeed): void {
  const key = ticketTagKey(projectId, name);
  if (state.ticketTags.has(key)) return;
  const tag = { id: id ?? state.newId({ has: () => false }), name };
  state.ticketTags.put(key, { tag, count: 0 });
  state.tagOrder.append(state.projects.slotOf(projectId), state.ticketTags.slotOf(key));
}

function assignee(context: SeedContext, project: ProjectRow, text: string, field: string) {
  const path = `${context.path}.${field}`;
  const { id, name } = context.users.find(text, path, describeOrganization(context));
  if (canSee(context.state, project, id)) return { id, name };
  throw new SeedError(
    path,
    `user ${JSON.stringify(text)} is not a member of project ${JSON.stringify(project.name)}`,
  );
}

function creatorOf(context: SeedContext, { creator }: TicketSeed): Actor | null {
  if (typeof creator !== 'string') return null;
  const { id, name } = context.users.find(creator, `${context.path}.creator`, describeOrganization(context));
  return { type: 'user', id, name };
}
