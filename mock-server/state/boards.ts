import type { BoardRow, BoardTemplate, ProjectRow, SlugRules, SlugStyle } from './rows.js';
import type { State } from './state.js';

export function liveBoard(state: State, project: ProjectRow, id: string): BoardRow | undefined {
  const board = state.boards.get(id);
  return board?.project_id === project.id && board.deleted_at === null ? board : undefined;
}

export const boardBySlug = (state: State, project: ProjectRow, slug: string): BoardRow | undefined =>
  liveBoards(state, project).find((board) => board.slug === slug);

/** Returns the default board for new tickets, if the settings specify one. */
export function defaultBoard(state: State, project: ProjectRow): BoardRow | undefined {
  const { defaultBoard: slugOrName } = state.settings;
  const boards = liveBoards(state, project);
  return boards.find(({ slug }) => slug === slugOrName) ?? boards.find(({ name }) => name === slugOrName);
}

/** Adds a board after the last board in its project. */
export function addBoard(state: State, projectId: string, fields: NewBoard): BoardRow {
  const project = state.projects.get(projectId) as ProjectRow;
  const now = state.clock.iso();
  const row: BoardRow = {
    id: fields.id ?? state.newId(state.boards),
    project_id: projectId,
    name: fields.name,
    slug: fields.slug ?? freeSlug(state, fields.name, slugsOf(state, project)),
    color: fields.color ?? null,
    wip_limit: fields.wip_limit ?? null,
    is_done: fields.is_done ?? false,
    is_hidden: fields.is_hidden ?? false,
    created_at: fields.created_at ?? now,
    updated_at: fields.updated_at ?? now,
    deleted_at: null,
  };
  state.boards.put(row.id, row);
  state.projects.put(projectId, { ...project, boards: [...project.boards, state.boards.slotOf(row.id)] });
  return row;
}

interface NewBoard extends BoardTemplate {
  readonly id?: string | undefined;
  readonly created_at?: string;
  readonly updated_at?: string;
}

/** Returns the slugs of the project's live boards. */
export const slugsOf = (state: State, project: ProjectRow): NamePool =>
  new NamePool(liveBoards(state, project).map(({ slug }) => slug));

/** Derives an unused slug from a board's name: `in-review`, then `in-review-2`. */
export function freeSlug(state: State, name: string, takenSlugs: NamePool): string {
  const { slugStyle, slugs } = state.settings;
  const { separator, fallback, firstSuffix } = slugs ?? slugRules[slugStyle];
  return takenSlugs.free(slugOf(name, separator) || fallback, separator, firstSuffix);
}

const slugRules: Readonly<Record<SlugStyle, SlugRules>> = {
  'kebab-case': { separator: '-', fallback: 'board', firstSuffix: 2 },
  snake_case: { separator: '_', fallback: 'board', firstSuffix: 2 },
};

/**
 * Converts a name to lowercase ASCII letters and digits. Removes accents, and replaces all other characters
 * with separators.
 */
export const slugOf = (name: string, separator = '-'): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
    ?.join(separator) ?? '';

const liveBoards = (state: State, project: ProjectRow): BoardRow[] =>
  project.boards.map((slot) => state.boards.at(slot));

/**
 * Keeps names unique. Finding a free name is fast even if thousands of names are taken, because each number
 * is tried only once.
 */
export class NamePool {
  readonly #taken: Set<string>;
  readonly #lastCount = new Map<string, number>();

  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
  }

  has(name: string): boolean {
    return this.#taken.has(name);
  }

  add(name: string): void {
    this.#taken.add(name);
  }

  /**
   * Returns the name if it's free. Otherwise, returns the first free name with a number, such as
   * `in-review-2`.
   */
  free(name: string, separator: string, firstSuffix = 2): string {
    if (!this.#taken.has(name)) return name;
    let count = this.#lastCount.get(name) ?? firstSuffix;
    while (this.#taken.has(`${name}${separator}${count}`)) count += 1;
    this.#lastCount.set(name, count);
    return `${name}${separator}${count}`;
  }
}
