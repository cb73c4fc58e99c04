import type { Worktrack } from '../../src/index.js';
import { didYouMean } from '../../src/shared/did-you-mean.js';

/** Thrown if a cell is invalid. Like an API error, it has `fieldErrors`. */
export class RowProblem extends Error {
  readonly fieldErrors: Record<string, string[]>;

  constructor(field: string, problem: string) {
    super(`${field} ${problem}`);
    this.fieldErrors = { [field]: [problem] };
  }
}

/** Looks up a project's boards, labels, and members by the IDs and names used in a file. */
export class Directory {
  readonly #boards: Index;
  readonly #labels: Index;
  readonly #members: Index;

  private constructor(boards: Index, labels: Index, members: Index) {
    this.#boards = boards;
    this.#labels = labels;
    this.#members = members;
  }

  /** @throws Error if the project is unknown or the credential can't read its boards, labels, or members */
  static async load(client: Worktrack, project: string): Promise<Directory> {
    const [boards, labels, members] = await Promise.all([
      client.boards.list(project),
      client.projects.labels.list(project),
      client.projects.members.list(project),
    ]);
    return new Directory(
      new Index(
        'board',
        boards.map(({ id, slug, name }) => ({ id, names: [slug, name] })),
      ),
      new Index(
        'label',
        labels.map(({ id, name }) => ({ id, names: [name] })),
      ),
      new Index(
        'member',
        members.map(({ id, email, name }) => ({ id, names: [email, name] })),
      ),
    );
  }

  /** @param field the field that contains the name, for the error */
  board(name: unknown, field: 'board_id' | 'board_slug'): string {
    return this.#boards.find(name, field);
  }

  label(name: unknown): string {
    return this.#labels.find(name, 'label_ids');
  }

  member(name: unknown): string {
    return this.#members.find(name, 'assignee_ids');
  }
}

/** The IDs of records by their names. IDs take precedence over names, and exact IDs over other spellings. */
class Index {
  readonly #kind: string;
  readonly #exact: ReadonlySet<string>;
  /** The IDs of the records with a name, which is ambiguous if there are several. */
  readonly #ids = new Map<string, Set<string>>();

  constructor(kind: string, items: readonly { id: string; names: string[] }[]) {
    this.#kind = kind;
    this.#exact = new Set(items.map(({ id }) => id));
    for (const { id, names } of items) for (const name of names) this.#add(name, id);
    for (const id of this.#exact) this.#ids.set(normalize(id), new Set());
    for (const id of this.#exact) this.#add(id, id);
  }

  #add(name: string, id: string): void {
    const key = normalize(name);
    this.#ids.set(key, (this.#ids.get(key) ?? new Set()).add(id));
  }

  find(name: unknown, field: string): string {
    const text = String(name).trim();
    if (this.#exact.has(text)) return text;
    const key = normalize(text);
    const [id, ...others] = this.#ids.get(key) ?? [];
    if (id !== undefined && others.length === 0) return id;
    if (id !== undefined)
      throw new RowProblem(field, `"${text}" is ambiguous; use the ID of the ${this.#kind}`);
    const names = [...this.#ids].filter(([, { size }]) => size === 1).map(([known]) => known);
    const hint = names.length === 0 ? `the project has no ${this.#kind}s` : didYouMean(key, names);
    throw new RowProblem(field, `"${text}" is not a ${this.#kind} of this project; ${hint}`);
  }
}

const normalize = (name: string): string => name.trim().toLowerCase();
