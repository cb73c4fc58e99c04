import { InvalidArgumentError } from 'commander';
import type { CreateTicket } from '../../src/index.js';
import { didYouMean } from '../../src/shared/did-you-mean.js';
import { UsageError } from '../usage-error.js';
import type { Directory } from './directory.js';
import { RowProblem } from './row-problem.js';

/** Maps each ticket field to a column. */
export type Mapping = Readonly<Record<string, string>>;

export type FileRow = Readonly<Record<string, unknown>>;

/** Returns a row's key, which is empty if the row has no value in the key column. */
export type KeyOf = (row: FileRow, index: number) => string;

/** The ticket fields that can be imported. */
export const ticketFields: readonly string[] = [
  'title',
  'board_slug',
  'board_id',
  'description_html',
  'priority',
  'due_at',
  'assignee_ids',
  'label_ids',
];

/** Adds a `--map field=column` option to the mapping. */
export function addMapping(text: string, mapping: Mapping = {}): Mapping {
  const [, field = '', column = ''] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
  if (!column) throw new InvalidArgumentError('Expected field=column, such as title=Summary.');
  if (!ticketFields.includes(field)) {
    throw new InvalidArgumentError(`Unknown field "${field}"; ${didYouMean(field, ticketFields)}`);
  }
  if (Object.hasOwn(mapping, field)) throw new InvalidArgumentError(`Field "${field}" is mapped twice.`);
  return { ...mapping, [field]: column };
}

/**
 * Determines each field's column from the `--map` options and matching column names.
 *
 * @throws UsageError if a mapped column is missing, or if no column is mapped to the title or the board
 */
export function resolveMapping(mapping: Mapping = {}, columns: readonly string[]): Mapping {
  for (const [field, column] of Object.entries(mapping)) {
    if (!columns.includes(column)) {
      throw new UsageError(
        `--map ${field}=${column}: the file has no column "${column}"; ${didYouMean(column, columns)}`,
      );
    }
  }
  const taken = Object.values(mapping);
  const same = ticketFields.filter((field) => columns.includes(field) && !taken.includes(field));
  const all = { ...Object.fromEntries(same.map((field) => [field, field])), ...mapping };
  if (!all.title) throw new UsageError('no column for the title; pass --map title=<column>');
  if (!all.board_slug && !all.board_id)
    throw new UsageError('no column for the board; pass --map board_slug=<column>');
  return all;
}

/** Converts a row to a ticket, omitting empty cells and replacing names with IDs. */
export function toTicket(row: FileRow, mapping: Mapping, directory: Directory): CreateTicket {
  const cell = (field: string) => {
    const value = row[mapping[field] ?? ''];
    return value === '' || value === null ? undefined : value;
  };
  const boardField = cell('board_id') === undefined ? 'board_slug' : 'board_id';
  const [board, due, assignees, labels] = [
    cell(boardField),
    cell('due_at'),
    cell('assignee_ids'),
    cell('label_ids'),
  ];
  const ticket = {
    title: cell('title') ?? '',
    ...(board !== undefined && { board_id: directory.board(board, boardField) }),
    description_html: cell('description_html'),
    priority:
      typeof cell('priority') === 'string' ? String(cell('priority')).toLowerCase() : cell('priority'),
    due_at: typeof due === 'string' ? toInstant(due) : due,
    assignee_ids:
      assignees === undefined ? undefined : listOf(assignees).map((item) => directory.member(item)),
    label_ids: labels === undefined ? undefined : listOf(labels).map((item) => directory.label(item)),
  };
  if (ticket.title === '') throw new RowProblem('title', 'is required');
  return Object.fromEntries(Object.entries(ticket).filter(([, value]) => value !== undefined)) as never;
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
