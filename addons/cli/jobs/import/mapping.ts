import { InvalidArgumentError } from 'commander';
import type { Board, Label, Member, NewTicket } from '../../../../src/index.js';
import { didYouMean, maxMarkPart } from '../../../../src/internal.js';
import type { SyncedTicket } from '../../../jobs/records.js';
import type { Lookup } from '../../../shared/lookup.js';
import { LookupError, type Names } from '../../../shared/names.js';
import { UsageError } from '../../command-line.js';
import { type Field, fieldsOf } from '../../operations/description.js';
import type { FileRow, Header } from './read-rows.js';

/** Maps each ticket field to a column. */
export type Mapping = Readonly<Record<string, string>>;

const fields: readonly Field[] = fieldsOf('tickets.create');

/** The ticket fields that can be imported. */
export const ticketFields: readonly string[] = fields.map(({ name }) => name);

/** The ticket fields that can be synced. */
export const syncedFields: readonly string[] = [...ticketFields, 'archived'];

/** Adds a `--map field=column` option to the mapping. */
export function addMapping(text: string, mapping: Mapping = {}, names = ticketFields): Mapping {
  const [, field = '', column = ''] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
  if (!column) throw new InvalidArgumentError('Expected field=column, such as title=Summary.');
  if (!names.includes(field)) {
    throw new InvalidArgumentError(`Unknown field "${field}"; ${didYouMean(field, names)}`);
  }
  if (Object.hasOwn(mapping, field)) throw new InvalidArgumentError(`Field "${field}" is mapped twice.`);
  return { ...mapping, [field]: column };
}

export interface Columns {
  names: readonly string[];
  /** Undefined if the file isn't CSV. */
  header: Header | undefined;
}

/**
 * Determines each field's column from the `--map` options and matching column names.
 *
 * @throws UsageError if a mapped column is missing or ambiguous, or if no column is mapped to the title
 */
export function resolveMapping(mapping: Mapping = {}, columns: Columns, names: readonly string[]): Mapping {
  for (const [field, column] of Object.entries(mapping)) checkColumn(`--map ${field}`, column, columns);
  const taken = Object.values(mapping);
  const same = names.filter((field) => columns.names.includes(field) && !taken.includes(field));
  const all = { ...Object.fromEntries(same.map((field) => [field, field])), ...mapping };
  for (const field of same) if (all[field] === field) checkColumn(field, field, columns);
  if (!all.title) throw new UsageError('no column for the title; pass --map title=<column>');
  return all;
}

/** @throws UsageError unless the file has exactly one column with the name */
export function checkColumn(what: string, column: string, { names, header }: Columns): void {
  if (!names.includes(column)) {
    throw new UsageError(`${what}: the file has no column "${column}"; ${didYouMean(column, names)}`);
  }
  const positions = header?.repeated.get(column);
  if (!positions) return;
  throw new UsageError(
    `${what}: line ${header?.line} has ${positions.length} columns named "${column}" (columns ${positions.join(', ')}); rename all but one of them`,
  );
}

/** Returns a row's value in a column. Names that every object inherits, such as `toString`, aren't columns. */
const cellOf = ({ values }: FileRow, column: string): unknown =>
  Object.hasOwn(values, column) ? values[column] : undefined;

/**
 * Returns a row's key.
 *
 * @param index the number of rows before this one
 * @throws RowProblem if the key is empty, or is neither text nor an exact number
 */
export function keyOf(row: FileRow, index: number, column: string | undefined): string {
  if (column === undefined) return `row ${index + 1}`;
  const key = cellOf(row, column) ?? '';
  if (key === '') throw new RowProblem(keyField, 'is empty');
  if (typeof key === 'string') {
    if (key.length <= maxMarkPart) return key;
    throw new RowProblem(keyField, `must have at most ${maxMarkPart} characters (got ${key.length})`);
  }
  if (typeof key !== 'number')
    throw new RowProblem(keyField, `must be a string or a number (got ${typeName(key)})`);
  // Numbers this large lose precision when they're parsed, so two different keys could become the same
  // number.
  if (Math.abs(key) > Number.MAX_SAFE_INTEGER)
    throw new RowProblem(keyField, 'is too large for a number; write it as a string');
  return String(key);
}

/** The field name for errors about a row's key. */
export const keyField = '(key)';

const typeName = (value: unknown) =>
  Array.isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;

/** Converts a row to a ticket, omitting empty cells and replacing names with IDs. */
export function toTicket(row: FileRow, mapping: Mapping, directory: Directory): NewTicket {
  const ticket: Record<string, unknown> = {};
  for (const { name, type } of fields) {
    const value = cellOf(row, mapping[name] ?? '');
    if (value === undefined || value === null || value === '') continue;
    if (name !== 'board_slug' && name !== 'board_id') ticket[name] = convert(name, type, value, directory);
    else if (name === 'board_id' || ticket.board_id === undefined)
      ticket.board_id = idOf(directory, name, value);
  }
  if (ticket.title === undefined) throw new RowProblem('title', 'is required');
  return ticket as unknown as NewTicket;
}

function convert(name: string, type: Field['type'], value: unknown, directory: Directory): unknown {
  if (name === 'assignee_ids' || name === 'label_ids')
    return listOf(value).map((item) => idOf(directory, name, item));
  if (typeof value !== 'string') return value;
  if (name === 'priority') return value.toLowerCase();
  if (name.endsWith('_at')) return toInstant(value);
  return type === 'integer' && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value;
}

/** Like {@link toTicket}, but empty cells clear their fields. */
export function toSyncedTicket(row: FileRow, mapping: Mapping, directory: Directory): SyncedTicket {
  const ticket = toTicket(row, mapping, directory);
  const empty: Record<string, unknown> = {};
  for (const { name, type, nullable } of fields) {
    const cell = cellOf(row, mapping[name] ?? '');
    if (cell !== '' && cell !== null) continue;
    if (nullable) empty[name] = null;
    else if (type === 'array') empty[name] = [];
  }
  const result = { ...ticket, ...empty };
  const archived = cellOf(row, mapping.archived ?? '');
  if (archived === undefined || archived === null || archived === '') return result;
  if (!/^(true|false)$/i.test(String(archived)))
    throw new RowProblem('archived', `must be true or false (got "${archived}")`);
  return { ...result, archived: /^true$/i.test(String(archived)) };
}

const listOf = (value: unknown): unknown[] =>
  Array.isArray(value)
    ? value
    : String(value)
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean);

/** Interprets a date without a time as midnight UTC, because the API requires a time and an offset. */
const toInstant = (text: string): string => (/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);

/** Thrown if a cell is invalid. Has `fieldErrors`, like an API error. */
export class RowProblem extends Error {
  readonly fieldErrors: Record<string, string[]>;

  constructor(field: string, problem: string) {
    super(`${field} ${problem}`);
    this.fieldErrors = { [field]: [problem] };
  }
}

/** A project's boards, labels, and members, keyed by the fields that refer to them. */
export type Directory = Readonly<Record<ReferenceField, Names<Board | Label | Member>>>;

type ReferenceField = 'board_id' | 'board_slug' | 'label_ids' | 'assignee_ids';

/** @throws Error if the project is unknown or the credential can't read its boards, labels, or members */
export async function loadDirectory(lookup: Lookup, project: string): Promise<Directory> {
  const [boards, labels, members] = await Promise.all([
    lookup.boards(project),
    lookup.labels(project),
    lookup.members(project),
  ]);
  return { board_id: boards, board_slug: boards, label_ids: labels, assignee_ids: members };
}

/** Returns the name of a board, label, or member, or the ID if it's unknown. */
export function nameOf(directory: Directory, id: string): string {
  const records = Object.values(directory).flatMap((names) => names.records);
  return records.find((record) => record.id === id)?.name ?? id;
}

/** Finds a record by its ID or name. */
function idOf(directory: Directory, field: ReferenceField, name: unknown): string {
  try {
    return directory[field].find(String(name)).id;
  } catch (error) {
    throw error instanceof LookupError ? new RowProblem(field, error.message) : error;
  }
}
