import type { BoardRow, ProjectRow } from './rows.js';
import type { State } from './state.js';

/** The project's live board of that id. */
export function liveBoard(state: State, project: ProjectRow, id: string): BoardRow | undefined {
  const board = state.boards.get(id);
  return board?.project_id === project.id && board.deleted_at === null ? board : undefined;
}

/** The project's live board of that slug. */
export const boardBySlug = (state: State, project: ProjectRow, slug: string): BoardRow | undefined =>
  project.boards.map((slot) => state.boards.at(slot)).find((board) => board.slug === slug);

/** A slug from the name that no live board of the project has: `in-review`, then `in-review-2`. */
export function freeSlug(state: State, project: ProjectRow, name: string): string {
  const taken = new Set(project.boards.map((slot) => state.boards.at(slot).slug));
  const slug = slugOf(name) || 'board';
  let free = slug;
  for (let count = 2; taken.has(free); count += 1) free = `${slug}-${count}`;
  return free;
}

/** Letters and digits of ASCII, accents left off, in lower case; all else becomes single hyphens. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
