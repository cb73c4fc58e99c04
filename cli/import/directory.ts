import type { Board, Label, Member } from '../../src/index.js';
import type { Lookup } from '../../src/lookup.js';
import { LookupError, type Names } from '../../src/names.js';

/** Thrown if a cell is invalid. Has `fieldErrors`, like an API error. */
export class RowProblem extends Error {
  readonly fieldErrors: Record<string, string[]>;

  constructor(field: string, problem: string) {
    super(`${field} ${problem}`);
    this.fieldErrors = { [field]: [problem] };
  }
}

/** Looks up a project's boards, labels, and members by the IDs and names in a file. */
export class Directory {
  readonly #boards: Names<Board>;
  readonly #labels: Names<Label>;
  readonly #members: Names<Member>;

  private constructor(boards: Names<Board>, labels: Names<Label>, members: Names<Member>) {
    this.#boards = boards;
    this.#labels = labels;
    this.#members = members;
  }

  /** @throws Error if the project is unknown or the credential can't read its boards, labels, or members */
  static async load(lookup: Lookup, project: string): Promise<Directory> {
    return new Directory(
      ...(await Promise.all([lookup.boards(project), lookup.labels(project), lookup.members(project)])),
    );
  }

  /** Returns the name of a board, label, or member, or the ID if it's unknown. */
  nameOf(id: string): string {
    const records = [...this.#boards.records, ...this.#labels.records, ...this.#members.records];
    return records.find((record) => record.id === id)?.name ?? id;
  }

  /** @param field the field that contains the name, for the error message */
  board(name: unknown, field: 'board_id' | 'board_slug'): string {
    return idOf(this.#boards, name, field);
  }

  label(name: unknown): string {
    return idOf(this.#labels, name, 'label_ids');
  }

  member(name: unknown): string {
    return idOf(this.#members, name, 'assignee_ids');
  }
}

function idOf(names: Names<Board | Label | Member>, name: unknown, field: string): string {
  try {
    return names.find(String(name)).id;
  } catch (error) {
    throw error instanceof LookupError ? new RowProblem(field, error.message) : error;
  }
}
