import { plainText } from '../../../../src/internal.js';
import type { FieldConflict, ImportReport, SyncOperation, SyncPlan } from '../../../jobs/import/index.js';
import type { Color, CommandContext } from '../../context.js';
import { listCounts, toOneLine, toSafeJson, truncate } from '../../terminal/text.js';
import { type Directory, nameOf } from '../import/mapping.js';

/** Prints a plan like a diff, or each operation as a line of JSON. */
export async function printPlan(
  plan: SyncPlan<unknown>,
  directory: Directory,
  context: CommandContext,
  isDiff: boolean,
): Promise<void> {
  for await (const operation of plan) {
    if (!isDiff) context.print(toSafeJson(operation, 0));
    else for (const { text, color } of describe(operation, directory)) context.printColored(text, color);
  }
  if (isDiff) context.print(summaryOf(plan));
}

interface Line {
  text: string;
  color: Color;
}

/** How each kind of operation is printed in a diff, and in the summary below it. */
const styles: Record<SyncOperation['type'], [sign: string, color: Color, note: string, total: string]> = {
  create: ['+', 'green', '', 'to create'],
  recreate: ['+', 'green', 're-create', 'to re-create'],
  update: ['~', 'yellow', '', 'to update'],
  revive: ['~', 'yellow', 'unarchive', 'to unarchive'],
  archive: ['-', 'red', 'archive', 'to archive'],
  delete: ['-', 'red', 'delete', 'to delete'],
  conflict: ['!', 'magenta', 'conflict', 'with conflicts'],
  gone: ['!', 'magenta', 'ticket was deleted', 'with a deleted ticket'],
  stale: ['!', 'magenta', "doesn't match the plan", 'not matching the plan'],
  failed: ['!', 'magenta', 'failed', 'failed'],
  unknown: ['!', 'magenta', 'in doubt', 'in doubt'],
  unchanged: [' ', 'green', '', 'unchanged'],
};

function describe(operation: SyncOperation, directory: Directory): Line[] {
  const [sign, color, note] = styles[operation.type];
  const title = operation.title === undefined ? '' : ` ${JSON.stringify(shorten(operation.title))}`;
  const lines: Line[] = [{ text: `${sign} ${operation.key}${title}${note && ` (${note})`}`, color }];
  const add = (text: string, lineColor = color) => lines.push({ text: `    ${text}`, color: lineColor });
  if ('after' in operation) {
    for (const [name, value] of Object.entries(operation.after))
      if (value !== undefined && name !== 'title') add(`${name}: ${format(value, directory)}`);
  }
  if ('changes' in operation) {
    for (const [name, { before, after }] of Object.entries(operation.changes))
      add(`${name}: ${format(before, directory)} → ${format(after, directory)}`);
  }
  if ('error' in operation && operation.error) add(toOneLine(operation.error.message));
  const conflicts: readonly FieldConflict[] = ('conflicts' in operation && operation.conflicts) || [];
  for (const { field, source, target } of conflicts) {
    const file = source === undefined ? 'the row is missing' : `the file has ${format(source, directory)}`;
    add(`! ${field}: ${file}, but the ticket has ${format(target, directory)}`, 'magenta');
  }
  return lines;
}

function format(value: unknown, directory: Directory): string {
  if (value === null || value === undefined) return 'none';
  if (Array.isArray(value)) return value.map((id) => nameOf(directory, `${id}`)).join(', ') || 'none';
  if (typeof value !== 'string') return String(value);
  return JSON.stringify(shorten(plainText(nameOf(directory, value)).trim()));
}

const shorten = (text: string) => truncate(toOneLine(text), 60);

function summaryOf({ counts, blockedRemovals }: SyncPlan<unknown>): string {
  const totals = Object.entries(styles).map(
    ([type, [, , , total]]) => [counts[type as SyncOperation['type']], total] as const,
  );
  const blocked = blockedRemovals > 0 ? `\n${describeBlocked(blockedRemovals)}` : '';
  return `${listCounts(totals) || 'no rows'}${blocked}`;
}

/** Explains why no tickets are archived or deleted. */
const describeBlocked = (count: number): string =>
  `${count.toLocaleString('en-US')} rows are missing, which is more than --max-removals allows, so no ticket is archived or deleted`;

/** Prints the changes and the rows that need attention. */
export function printReport(report: ImportReport<unknown>, context: CommandContext): void {
  const counts = [
    [report.created + report.recovered, 'created'],
    [report.updated, 'updated'],
    [report.archived, 'archived'],
    [report.deleted, 'deleted'],
    [report.skipped, 'unchanged'],
    [report.conflicts, 'with conflicts'],
    [report.gone, 'with a deleted ticket'],
    [report.stale, 'not matching the plan'],
    [report.failed, 'failed'],
    [report.unknown, 'in doubt'],
  ] as const;
  context.printError(
    `${listCounts(counts) || 'no rows'}; ${report.requests.toLocaleString('en-US')} requests`,
  );
  for (const { key, error } of [...report.failedRows, ...report.unknownRows])
    context.printError(`${key}: ${error?.message}`);
  for (const { key, conflicts } of report.conflictRows)
    context.printError(`${key}: conflict in ${conflicts.map(({ field }) => field).join(', ')}`);
  for (const { key, recordId } of report.goneRows)
    context.printError(`${key}: ticket ${recordId} was deleted; pass --on-gone recreate to re-create it`);
  for (const { key, error } of report.staleRows)
    context.printError(
      `${key}: ${error?.message ?? "doesn't match the plan"}; run the command with --plan again`,
    );
  if (report.blockedRemovals > 0) context.printError(describeBlocked(report.blockedRemovals));
}
