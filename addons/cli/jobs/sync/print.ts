import { plainText } from '../../../../src/internal.js';
import type { FieldConflict, SyncOperation, SyncPlan, SyncReport, TaskType } from '../../../jobs/index.js';
import type { Color, CommandContext } from '../../context.js';
import { listCounts, toOneLine, toSafeJson, truncate } from '../../terminal/text.js';
import { type Directory, nameOf } from '../import/mapping.js';

/** Prints a plan like a diff. Nothing that comes from a file or a server can add lines to it. */
export function printPlan(plan: SyncPlan, directory: Directory, context: CommandContext): void {
  for (const operation of plan.operations)
    for (const { text, color } of describe(operation, directory)) context.printColored(text, color);
  const totals = Object.entries(styles).map(
    ([type, [, , , total]]) => [plan.counts[type as TaskType], total] as const,
  );
  context.print(listCounts(totals) || 'no rows');
  if (plan.blockedRemovals > 0) context.print(describeBlocked(plan.blockedRemovals));
}

interface Line {
  text: string;
  color: Color;
}

/** How each kind of operation is printed, and in the summary. */
const styles: Record<TaskType, [sign: string, color: Color, note: string, total: string]> = {
  create: ['+', 'green', '', 'to create'],
  recreate: ['+', 'green', 'create again', 'to create again'],
  update: ['~', 'yellow', '', 'to update'],
  archive: ['-', 'red', 'archive', 'to archive'],
  delete: ['-', 'red', 'delete', 'to delete'],
  conflict: ['!', 'magenta', 'conflict', 'with conflicts'],
  gone: ['!', 'magenta', 'ticket was deleted', 'with a deleted ticket'],
  failed: ['!', 'magenta', 'invalid', 'invalid'],
  unchanged: [' ', 'green', '', 'unchanged'],
};

function describe({ type, key, title, changes, conflicts, error }: SyncOperation, directory: Directory) {
  const [sign, color, note] = styles[type];
  const titleText = typeof title === 'string' ? ` ${inQuotes(title)}` : '';
  const lines: Line[] = [{ text: `${sign} ${safe(key)}${titleText}${note && ` (${note})`}`, color }];
  const add = (text: string, lineColor = color) => lines.push({ text: `    ${text}`, color: lineColor });
  for (const [name, change] of Object.entries(changes)) {
    const after = format(name, change.after, directory);
    if (type === 'update') add(`${name}: ${format(name, change.before, directory)} → ${after}`);
    else if (name !== 'title') add(`${name}: ${after}`);
  }
  if (error) add(toOneLine(error.message));
  for (const conflict of conflicts) add(`! ${describeConflict(conflict, directory)}`, 'magenta');
  return lines;
}

function describeConflict({ field, source, target }: FieldConflict, directory: Directory): string {
  const file =
    source === undefined ? 'the row is missing' : `the file has ${format(field, source, directory)}`;
  return `${field}: ${file}, but the ticket has ${format(field, target, directory)}`;
}

function format(name: string, value: unknown, directory: Directory): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (Array.isArray(value)) return value.map((id) => safe(nameOf(directory, `${id}`))).join(', ') || 'none';
  if (typeof value !== 'string') return toOneLine(String(value));
  if (name === 'board_id') return inQuotes(nameOf(directory, value));
  return inQuotes(name.endsWith('_html') ? plainText(value).trim() : value);
}

const inQuotes = (text: string): string => toSafeJson(truncate(toOneLine(text), 60), 0);

/** Returns a key or a name as is, or in quotes if it could be mistaken for something else. */
const safe = (text: string): string =>
  /^[\p{L}\p{N}_#]([\p{L}\p{N} ._:#/@-]{0,58}[\p{L}\p{N}])?$/u.test(text) ? text : inQuotes(text);

/** Explains why no tickets are archived or deleted. */
const describeBlocked = (count: number): string =>
  `${count.toLocaleString('en-US')} tickets would be archived or deleted, which is more than --max-removals allows, so none are`;

/** Prints the counts, and the rows that need attention. */
export function printReport(report: SyncReport, context: CommandContext): void {
  const counts = [
    [report.created, 'created'],
    [report.updated, 'updated'],
    [report.archived, 'archived'],
    [report.deleted, 'deleted'],
    [report.unchanged, 'unchanged'],
    [report.conflicts, 'with conflicts'],
    [report.gone, 'with a deleted ticket'],
    [report.stale, 'not matching the plan'],
    [report.failed, 'failed'],
    [report.unknown, 'in doubt'],
    [report.ignored, 'with values that the server ignored'],
  ] as const;
  context.printError(listCounts(counts) || 'no rows');
  if (report.blockedRemovals > 0) context.printError(describeBlocked(report.blockedRemovals));
  const print = (key: string, problem: string) => context.printError(`${safe(key)}: ${toOneLine(problem)}`);
  for (const { key, error } of [...report.failedRows, ...report.unknownRows]) print(key, error.message);
  for (const { key, error } of report.staleRows)
    print(key, `${error.message}; run the command with --plan again`);
  for (const { key, conflicts } of report.conflictRows)
    print(key, `changed in both the file and the ticket: ${conflicts.map(({ field }) => field).join(', ')}`);
  for (const { key, id } of report.goneRows) print(key, `ticket ${id} was deleted`);
  for (const { key, fields = [] } of report.ignoredRows)
    print(key, `the server ignored ${fields.join(', ')}`);
  for (const { key, extra } of report.duplicates)
    print(key, `has several tickets; delete ${extra.join(', ')}`);
}
