import { type Priority, type Reference, ticketDefaults } from '../../src/contract/index.js';
import { canSee } from '../rules/relations.js';
import { type BoardRow, fillDefaults, type ProjectRow, type TicketRow } from '../state/rows.js';
import type { State } from '../state/state.js';
import { addTicket, ticketTagKey } from '../state/tickets.js';
import {
  describeOrganization,
  findActor,
  idFor,
  type NoFields,
  type ProjectContext,
  type SeedContext,
  timestampsOf,
  uniqueById,
} from './seed-context.js';
import { SeedError } from './seed-error.js';
import type { TagSeed, TicketSeed } from './world.js';

/** Adds a ticket to the end of a board, ignoring the board's WIP limit. */
export function loadTicket(
  context: SeedContext,
  board: BoardRow,
  seed: TicketSeed,
  { labels: projectLabels, numbers }: Pick<ProjectContext, 'labels' | 'numbers'>,
): TicketRow {
  const { state, path } = context;
  const {
    id,
    title,
    number: wantedNumber,
    creator: creatorName,
    assignees = [],
    labels = [],
    tags = [],
    started_at = null,
    completed_at,
    archived_at = null,
    created_at,
    updated_at,
    ...content
  } = seed as TicketSeed & { priority?: Priority };
  const tagReferences = [...new Set(tags)].map((name) => addTag(state, board.project_id, { name }));
  const project = state.projects.get(board.project_id) as ProjectRow;
  const number = wantedNumber ?? project.lastNumber + 1;
  if (numbers.has(number)) {
    throw new SeedError(`${path}.number`, `${number} is taken by another ticket in the project`);
  }
  numbers.add(number);
  const timestamps = timestampsOf(state, { created_at, updated_at });
  const creator = typeof creatorName === 'string' ? findActor(context, creatorName, 'creator') : null;
  const inProject = `project ${JSON.stringify(project.name)}`;
  const row: TicketRow = {
    id: idFor(state, state.tickets, id, path),
    project_id: project.id,
    board_id: board.id,
    number,
    title,
    ...fillDefaults(ticketDefaults, content),
    started_at,
    completed_at:
      completed_at === undefined && board.is_done ? timestamps.created_at : (completed_at ?? null),
    api_credential_id: creator?.type === 'api_credential' ? creator.id : null,
    creator,
    assignees: uniqueById(
      assignees.map((text, index) => assignee(context, project, text, `assignees[${index}]`)),
    ),
    labels: uniqueById(
      labels.map((text, index) => projectLabels.find(text, `${path}.labels[${index}]`, inProject)),
    ),
    tags: tagReferences,
    archived_at,
    ...timestamps,
    deleted_at: null,
  };
  addTicket(state, row);
  return row;
}

/** Returns the project's tag with this name. Adds the tag if it doesn't exist yet. */
export function addTag(state: State, projectId: string, { id, name, ...rest }: TagSeed): Reference {
  rest satisfies NoFields;
  const key = ticketTagKey(projectId, name);
  const known = state.ticketTags.get(key);
  if (known) return known.tag;
  const tag = { id: id ?? state.newId(), name };
  state.ticketTags.put(key, { tag, count: 0 });
  state.tagOrder.append(state.projects.slotOf(projectId), state.ticketTags.slotOf(key));
  return tag;
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
