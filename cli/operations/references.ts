import type { OperationId } from '../../src/contract/index.js';
import { type ReferenceKind, referenceKinds } from '../../src/lookup.js';
import { fieldsOf } from './description.js';

/** A field that takes IDs, and the option that sets it by name. */
export interface ReferenceOption {
  /** The option's name, such as `board` for the `board_id` field. */
  name: string;
  field: string;
  kind: ReferenceKind;
  isList: boolean;
}

/** Returns the options that set an operation's fields by name. */
export function referenceOptionsOf(id: OperationId): ReferenceOption[] {
  const options = fieldsOf(id).flatMap(({ name: field, type }) => {
    const kind = referenceKinds[field];
    return kind ? [{ name: field.replace(/_ids?$/, ''), field, kind, isList: type === 'array' }] : [];
  });
  if (id !== 'tickets.move') return options;
  return [...options, { name: 'board_slug', field: 'board_id', kind: 'board', isList: false }];
}

/** The ways to refer to each kind of record. */
export const referenceForms: Readonly<Record<ReferenceKind, string>> = {
  project: 'Key, name, or ID of a project',
  board: 'Name, slug, or ID of a board',
  ticket: 'Ticket, such as APO-3, or its ID',
  label: 'Name or ID of a label',
  member: 'Name, email address, or ID of a member of the project',
  user: 'Name, email address, or ID of a member of any project',
};

/** The allowed values for a command's arguments. */
export const argumentForms: Readonly<Record<string, string>> = {
  project: 'Key, name, or ID of the project',
  board: 'Project and board, such as APO/Doing, or the ID of the board',
  ticket: 'Project key and ticket number, such as APO-3, or the ID of the ticket',
  document: 'ID of the document',
};
