import type { Label } from '../../src/contract/index.js';
import { freeSlug } from '../state/boards.js';
import type { BoardRow, ProjectRow } from '../state/rows.js';
import type { State } from '../state/state.js';
import { addTag, loadTicket, type TakenNumbers } from './load-ticket.js';
import { Lookup } from './lookup.js';
import {
  describeOrganization,
  idFor,
  refuseRepeatedTags,
  type SeedContext,
  timestampsOf,
} from './seed-context.js';
import { SeedError } from './seed-error.js';
import type { BoardSeed, LabelSeed, ProjectSeed } from './world.js';

/** Puts a project into the state, with everything that lies in it. */
export function loadProject(context: SeedContext, seed: ProjectSeed): ProjectRow {
  const { state, organization, users, path } = context;
  const members = (seed.members ?? []).map(
    (text, index) => users.find(text, `${path}.members[${index}]`, describeOrganization(context)).id,
  );
  const project: ProjectRow = {
    id: idFor(state, state.projects, seed.id, path),
    organization_id: organization,
    name: seed.name,
    key: seed.key ?? keyOf(seed.name),
    description: seed.description ?? null,
    archived_at: seed.archived_at ?? null,
    ...timestampsOf(state, seed),
    deleted_at: null,
    members: new Set(members),
    labels: [],
    boards: [],
    tags: [],
    lastNumber: 0,
  };
  state.projects.put(project.id, project);
  state.projectOrder.append(state.organizations.slotOf(organization), state.projects.slotOf(project.id));
  seed.labels?.forEach((label, index) => {
    loadLabel(state, project.id, label, `${path}.labels[${index}]`);
  });
  refuseRepeatedTags(seed.tags ?? [], path);
  for (const tag of seed.tags ?? []) addTag(state, project.id, tag);
  const labels = labelsOf(state, project.id);
  const numbers = new Set<number>();
  seed.boards?.forEach((board, index) => {
    loadBoard({ ...context, path: `${path}.boards[${index}]` }, project.id, board, { labels, numbers });
  });
  return project;
}

export function loadLabel(state: State, projectId: string, seed: LabelSeed, path: string): Label {
  const project = state.projects.get(projectId) as ProjectRow;
  const ids = new Set(project.labels.map(({ id }) => id));
  const label = { id: idFor(state, ids, seed.id, path), name: seed.name, color: seed.color ?? null };
  state.projects.put(projectId, { ...project, labels: [...project.labels, label] });
  return label;
}

/** Puts a board into the state, with its tickets. */
export function loadBoard(
  context: SeedContext,
  projectId: string,
  seed: BoardSeed,
  surroundings: { labels: Lookup<Label>; numbers: TakenNumbers },
): BoardRow {
  const { state, path } = context;
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
  seed.tickets?.forEach((ticket, index) => {
    loadTicket({ ...context, path: `${path}.tickets[${index}]` }, board, ticket, surroundings);
  });
  return board;
}

/** The labels that tickets of a project can name. */
export function labelsOf(state: State, projectId: string): Lookup<Label> {
  const labels = new Lookup<Label>('label');
  for (const label of state.projects.get(projectId)?.labels ?? []) labels.add(label);
  return labels;
}

/** A key from a project's name: its first letters, in upper case. */
const keyOf = (name: string): string =>
  name
    .replace(/[^\p{L}\p{N}]/gu, '')
    .slice(0, 3)
    .toUpperCase() || 'PRJ';
