import type { Actor, Label } from '../../src/contract/index.js';
import { canSee } from '../rules/relations.js';
import { freeSlug } from '../state/boards.js';
import type { BoardRow, ProjectRow, UserRow } from '../state/rows.js';
import type { State } from '../state/state.js';
import { addTicket, ticketTagKey } from '../state/tickets.js';
import { idFor, type Place, timestampsOf, uniqueById } from './load-world.js';
import { Lookup } from './lookup.js';
import { SeedError } from './seed-error.js';
import type { BoardSeed, ProjectSeed, TagSeed, TicketSeed } from './world.js';

/** Puts a project into the state, with everything that lies in it. */
export function loadProject(place: Place, seed: ProjectSeed): ProjectRow {
  const { state, organization, users, path } = place;
  const members = (seed.members ?? []).map(
    (text, index) => users.find(text, `${path}.members[${index}]`, whole(place)).id,
  );
  const labels = new Lookup<Label>('label');
  const project: ProjectRow = {
    id: idFor(state, state.projects, seed.id, path),
    organization_id: organization.id,
    name: seed.name,
    key: seed.key ?? keyOf(seed.name),
    description: seed.description ?? null,
    archived_at: seed.archived_at ?? null,
    ...timestampsOf(state, seed),
    deleted_at: null,
    members: new Set(members),
    labels: (seed.labels ?? []).map(({ id, name, color = null }) => ({
      id: id ?? state.newId({ has: () => false }),
      name,
      color,
    })),
    boards: [],
    tags: [],
    lastNumber: 0,
  };
  project.labels.forEach((label, index) => {
    if (project.labels.findIndex(({ id }) => id === label.id) !== index) {
      throw new SeedError(
        `${path}.labels[${index}].id`,
        `${JSON.stringify(label.id)} is taken by another label`,
      );
    }
    labels.add(label);
  });
  state.projects.put(project.id, project);
  state.projectOrder.append(state.organizations.slotOf(organization.id), state.projects.slotOf(project.id));
  for (const tag of seed.tags ?? []) addTag(state, project.id, tag);
  const numbers = new Set<number>();
  seed.boards?.forEach((board, index) => {
    const boardPath = `${path}.boards[${index}]`;
    const row = loadBoard(state, project.id, board, boardPath);
    board.tickets?.forEach((ticket, at) => {
      const inside = { ...place, path: `${boardPath}.tickets[${at}]` };
      loadTicket(inside, ticket, { board: row, labels, numbers });
    });
  });
  return project;
}

function loadBoard(state: State, projectId: string, seed: BoardSeed, path: string): BoardRow {
  const project = state.projects.get(projectId) as ProjectRow;
  const { slug = freeSlug(state, project, seed.name) } = seed;
  if (project.boards.some((other) => state.boards.at(other).slug === slug)) {
    throw new SeedError(`${path}.slug`, `${JSON.stringify(slug)} is taken by another board of the project`);
  }
  const board: BoardRow = {
    id: idFor(state, state.boards, seed.id, path),
    project_id: projectId,
    name: seed.name,
    slug,
    color: seed.color ?? null,
    wip_limit: seed.wip_limit ?? null,
    is_done: seed.is_done ?? false,
    is_hidden: seed.is_hidden ?? false,
    ...timestampsOf(state, seed),
    deleted_at: null,
  };
  state.boards.put(board.id, board);
  state.projects.put(projectId, { ...project, boards: [...project.boards, state.boards.slotOf(board.id)] });
  return board;
}

interface TicketSurroundings {
  board: BoardRow;
  labels: Lookup<Label>;
  /** Those that the project's tickets have already. */
  numbers: Set<number>;
}

function loadTicket(place: Place, seed: TicketSeed, { board, labels, numbers }: TicketSurroundings): void {
  const { state, users, path } = place;
  for (const name of seed.tags ?? []) addTag(state, board.project_id, { name });
  const project = state.projects.get(board.project_id) as ProjectRow;
  const { number = project.lastNumber + 1 } = seed;
  if (numbers.has(number)) {
    throw new SeedError(`${path}.number`, `${number} is taken by another ticket of the project`);
  }
  numbers.add(number);
  const times = timestampsOf(state, seed);
  const assignees = (seed.assignees ?? []).map((text, index) => {
    const user = users.find(text, `${path}.assignees[${index}]`, whole(place));
    if (canSee(state, project, user.id)) return { id: user.id, name: user.name };
    throw new SeedError(
      `${path}.assignees[${index}]`,
      `user ${JSON.stringify(text)} is no member of project ${JSON.stringify(project.name)}`,
    );
  });
  addTicket(state, {
    id: idFor(state, state.tickets, seed.id, path),
    project_id: project.id,
    board_id: board.id,
    number,
    title: seed.title,
    description_html: seed.description_html ?? null,
    priority: seed.priority ?? 'normal',
    due_at: seed.due_at ?? null,
    started_at: seed.started_at ?? null,
    completed_at: seed.completed_at ?? (board.is_done ? times.created_at : null),
    api_credential_id: null,
    creator: creatorOf(users, seed, path, whole(place)),
    assignees: uniqueById(assignees),
    labels: uniqueById(
      (seed.labels ?? []).map((text, index) =>
        labels.find(text, `${path}.labels[${index}]`, `project ${JSON.stringify(project.name)}`),
      ),
    ),
    tags: [...new Set(seed.tags ?? [])].flatMap(
      (name) => state.ticketTags.get(ticketTagKey(project.id, name))?.tag ?? [],
    ),
    archived_at: seed.archived_at ?? null,
    ...times,
    deleted_at: null,
  });
}

function creatorOf(users: Lookup<UserRow>, seed: TicketSeed, path: string, whose: string): Actor | null {
  if (typeof seed.creator !== 'string') return null;
  const { id, name } = users.find(seed.creator, `${path}.creator`, whose);
  return { type: 'user', id, name };
}

function addTag(state: State, projectId: string, { id, name }: TagSeed): void {
  const key = ticketTagKey(projectId, name);
  if (state.ticketTags.has(key)) return;
  const tag = { id: id ?? state.newId({ has: () => false }), name };
  state.ticketTags.put(key, { tag, count: 0 });
  const project = state.projects.get(projectId) as ProjectRow;
  state.projects.put(projectId, { ...project, tags: [...project.tags, state.ticketTags.slotOf(key)] });
}

const whole = ({ organization }: Place): string => `organization ${JSON.stringify(organization.name)}`;

/** A key from a project's name: its first letters, in upper case. */
const keyOf = (name: string): string =>
  name
    .replace(/[^\p{L}\p{N}]/gu, '')
    .slice(0, 3)
    .toUpperCase() || 'PRJ';
