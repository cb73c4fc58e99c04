import type { Worktrack } from '../../src/index.js';
import { didYouMean } from '../../src/shared/did-you-mean.js';
import { RowProblem } from './row-problem.js';

/** Looks up a project's boards, labels, and members by the IDs and names used in a file. */
export class Directory {
  readonly #ids: Record<'board' | 'label' | 'member', Map<string, string>>;

  private constructor(ids: Record<'board' | 'label' | 'member', Map<string, string>>) {
    this.#ids = ids;
  }

  /** @throws Error if the project is unknown or the credential can't read its boards, labels, or members */
  static async load(client: Worktrack, project: string): Promise<Directory> {
    const [boards, labels, members] = await Promise.all([
      client.boards.list(project),
      client.projects.labels.list(project),
      client.projects.members.list(project),
    ]);
    return new Directory({
      board: index(boards, ({ id, slug, name }) => [id, slug, name]),
      label: index(labels, ({ id, name }) => [id, name]),
      member: index(members, ({ id, email, name }) => [id, email, name]),
    });
  }

  /** @param field the field that contains the name, for the error */
  board(name: unknown, field: 'board_id' | 'board_slug'): string {
    return this.#find('board', field, name);
  }

  label(name: unknown): string {
    return this.#find('label', 'label_ids', name);
  }

  member(name: unknown): string {
    return this.#find('member', 'assignee_ids', name);
  }

  #find(kind: 'board' | 'label' | 'member', field: string, name: unknown): string {
    const ids = this.#ids[kind];
    const key = normalize(name);
    const id = ids.get(key);
    if (id) return id;
    if (id === ambiguous) throw new RowProblem(field, `"${name}" is ambiguous; use the ID of the ${kind}`);
    const hint = ids.size === 0 ? `the project has no ${kind}s` : didYouMean(key, namesIn(ids));
    throw new RowProblem(field, `"${name}" is not a ${kind} of this project; ${hint}`);
  }
}

/** The value of a name that several records have. */
const ambiguous = '';

const namesIn = (ids: ReadonlyMap<string, string>): string[] =>
  [...ids].filter(([, id]) => id !== ambiguous).map(([name]) => name);

/** Indexes records by ID and name. IDs take precedence over names. */
function index<Item extends { id: string }>(items: readonly Item[], namesOf: (item: Item) => string[]) {
  const ids = new Map<string, string>();
  for (const item of items) {
    for (const name of new Set(namesOf(item).map(normalize))) {
      ids.set(name, ids.has(name) ? ambiguous : item.id);
    }
  }
  for (const { id } of items) ids.set(normalize(id), id);
  return ids;
}

const normalize = (name: unknown): string => String(name).trim().toLowerCase();
