import type { OperationId } from '../../src/contract/index.js';
import type { Board, Worktrack } from '../../src/index.js';
import type { Lookup } from '../../src/lookup.js';
import { UsageError } from '../command-line.js';
import { fieldsOf } from './description.js';

/** The kinds of records that can be referred to by name. */
export type Kind = 'project' | 'board' | 'ticket' | 'label' | 'member' | 'user';

/** A field that takes IDs, and the option that sets it by name. */
export interface ReferenceOption {
  /** The option's name, such as `board` for the field `board_id`. */
  name: string;
  field: string;
  kind: Kind;
  isList: boolean;
}

const kinds: Readonly<Record<string, Kind>> = {
  assignee_ids: 'member',
  board_id: 'board',
  board_ids: 'board',
  editor_ids: 'user',
  label_ids: 'label',
  move_to_board_id: 'board',
  project_id: 'project',
  ticket_ids: 'ticket',
  user_ids: 'user',
};

/** Returns the options that set an operation's fields by name. */
export function referenceOptionsOf(id: OperationId): ReferenceOption[] {
  const options = fieldsOf(id).flatMap(({ name: field, type }) => {
    const kind = kinds[field];
    return kind ? [{ name: field.replace(/_ids?$/, ''), field, kind, isList: type === 'array' }] : [];
  });
  if (id !== 'tickets.move') return options;
  return [...options, { name: 'board_slug', field: 'board_id', kind: 'board', isList: false }];
}

/** What each kind of record can be referred to by. */
export const referenceForms: Readonly<Record<Kind, string>> = {
  project: 'Key, name, or ID of a project',
  board: 'Name, slug, or ID of a board',
  ticket: 'Ticket, such as APO-3, or its ID',
  label: 'Name or ID of a label',
  member: 'Name, email address, or ID of a member of the project',
  user: 'Name, email address, or ID of a member of any project',
};

/** What a command's argument can be. */
export const argumentForms: Readonly<Record<string, string>> = {
  project: 'Key, name, or ID of the project',
  board: 'Project and board, such as APO/Doing, or the ID of the board',
  ticket: 'Project key and ticket number, such as APO-3, or the ID of the ticket',
  document: 'ID of the document',
};

/** The record that a command's argument refers to. */
export interface Target {
  /** The record's ID, or undefined if the command has no argument. */
  id: string | undefined;
  /** Returns the ID of the record's project. Undefined if it can't be known. */
  project?: () => Promise<string>;
}

/** Finds the record that a command's argument refers to. */
export async function findTarget(
  kind: string | undefined,
  reference: string,
  lookup: Lookup,
  client: Worktrack,
): Promise<Target> {
  if (kind === 'project') {
    const { id } = await lookup.project(reference);
    return { id, project: async () => id };
  }
  if (kind === 'ticket') {
    const { id, project_id } = await lookup.ticket(reference);
    return { id, project: async () => project_id ?? (await client.tickets.get(id)).project_id };
  }
  // The API can't read a board by its ID, so an ID isn't looked up.
  if (kind !== 'board' || !reference.includes('/')) return { id: kind && reference };
  const { id, project_id } = await findBoard(reference, lookup);
  return { id, project: async () => project_id };
}

/** Returns the ID of a record that an option names. */
export async function findId(kind: Kind, name: string, { project }: Target, lookup: Lookup): Promise<string> {
  if (kind === 'project') return (await lookup.project(name)).id;
  if (kind === 'ticket') return (await lookup.ticket(name)).id;
  if (kind === 'user') return (await lookup.users()).find(name).id;
  if (!project) return (await findBoard(name, lookup)).id;
  const id = await project();
  if (kind === 'board') return (await lookup.board(name, id)).id;
  return (await (kind === 'label' ? lookup.labels(id) : lookup.members(id))).find(name).id;
}

/** Finds a board by its project and name, such as `APO/Doing`. */
async function findBoard(reference: string, lookup: Lookup): Promise<Board> {
  const slash = reference.indexOf('/');
  if (slash < 0) {
    throw new UsageError(
      `"${reference}" could be a board of any project; add the project, such as APO/${reference}`,
    );
  }
  const { id } = await lookup.project(reference.slice(0, slash));
  return lookup.board(reference.slice(slash + 1), id);
}
