import type { Label } from '../../src/contract/index.js';
import { addBoard, freeSlug, slugsOf } from '../state/boards.js';
import type { BoardRow, ProjectRow } from '../state/rows.js';
import type { State } from '../state/state.js';
import { addTag, loadTicket } from './load-ticket.js';
import {
  describeOrganization,
  idFor,
  Lookup,
  type NoFields,
  type ProjectContext,
  requireDistinctTags,
  type SeedContext,
  timestampsOf,
} from './seed-context.js';
import { SeedError } from './seed-error.js';
import type { BoardSeed, LabelSeed, ProjectSeed } from './world.js';

/** Adds a project and everything in it. */
export function loadProject(context: SeedContext, seed: ProjectSeed): ProjectRow {
  const { state, organization, users, path } = context;
  const { id, name, key = keyOf(name), description = null, archived_at = null, ...lists } = seed;
  const { members: memberNames = [], labels = [], tags = [], boards = [], ...times } = lists;
  const { created_at, updated_at, ...rest } = times;
  rest satisfies NoFields;
  const members = memberNames.map(
    (text, index) => users.find(text, `${path}.members[${index}]`, describeOrganization(context)).id,
  );
  const project: ProjectRow = {
    id: idFor(state, state.projects, id, path),
    organization_id: organization,
    name,
    key,
    description,
    archived_at,
    ...timestampsOf(state, { created_at, updated_at }),
    deleted_at: null,
    members: new Set(members),
    labels: [],
    boards: [],
    lastNumber: 0,
  };
  state.projects.put(project.id, project);
  state.projectOrder.append(state.organizations.slotOf(organization), state.projects.slotOf(project.id));
  loadLabels(state, project.id, labels, (index) => `${path}.labels[${index}]`);
  requireDistinctTags(tags, path);
  for (const tag of tags) addTag(state, project.id, tag);
  const inProject = {
    labels: labelsOf(state, project.id),
    numbers: new Set<number>(),
    slugs: slugsOf(state, project),
  };
  boards.forEach((board, index) => {
    loadBoard({ ...context, path: `${path}.boards[${index}]` }, project.id, board, inProject);
  });
  return project;
}

export function loadLabels(
  state: State,
  projectId: string,
  seeds: readonly LabelSeed[],
  pathOf: (index: number) => string,
): Label[] {
  const project = state.projects.get(projectId) as ProjectRow;
  const ids = new Set(project.labels.map(({ id }) => id));
  const labels = seeds.map(({ id, name, color = null, ...rest }, index) => {
    rest satisfies NoFields;
    const label = { id: idFor(state, ids, id, pathOf(index)), name, color };
    ids.add(label.id);
    return label;
  });
  state.projects.put(projectId, { ...project, labels: [...project.labels, ...labels] });
  return labels;
}

/** Adds a board and its tickets. */
export function loadBoard(
  context: SeedContext,
  projectId: string,
  seed: BoardSeed,
  inProject: ProjectContext,
): BoardRow {
  const { state, path } = context;
  const { slugs } = inProject;
  const { id: wantedId, name, slug = freeSlug(state, name, slugs), tickets, ...fields } = seed;
  const { color, wip_limit, is_done, is_hidden, created_at, updated_at, ...rest } = fields;
  rest satisfies NoFields;
  if (slugs.has(slug)) {
    throw new SeedError(`${path}.slug`, `${JSON.stringify(slug)} is taken by another board in the project`);
  }
  slugs.add(slug);
  const id = idFor(state, state.boards, wantedId, path);
  const times = timestampsOf(state, { created_at, updated_at });
  const board = addBoard(state, projectId, {
    id,
    name,
    slug,
    color,
    wip_limit,
    is_done,
    is_hidden,
    ...times,
  });
  tickets?.forEach((ticket, index) => {
    loadTicket({ ...context, path: `${path}.tickets[${index}]` }, board, ticket, inProject);
  });
  return board;
}

export function labelsOf(state: State, projectId: string): Lookup<Label> {
  const labels = new Lookup<Label>('label');
  for (const label of (state.projects.get(projectId) as ProjectRow).labels) labels.add(label);
  return labels;
}

/** Derives a project's key from the first three letters or digits of its name. */
const keyOf = (name: string): string =>
  name
    .replace(/[^\p{L}\p{N}]/gu, '')
    .slice(0, 3)
    .toUpperCase() || 'PRJ';
