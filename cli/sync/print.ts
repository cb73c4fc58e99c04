import type { FieldConflict, ImportReport, SyncOperation, SyncPlan } from '../../src/import/index.js';
import { plainText } from '../../src/shared/plain-text.js';
import type { Color, CommandContext } from '../context.js';
import type { Directory } from '../import/mapping.js';
import { toOneLine, toSafeJson, truncate } from '../terminal/text.js';

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

const signs: Record<SyncOperation['type'], [sign: string, color: Color, what: string]> = {
  create: ['+', 'green', ''],
  recreate: ['+', 'green', 're-create'],
  update: ['~', 'yellow', ''],
  revive: ['~', 'yellow', 'unarchive'],
  archive: ['-', 'red', 'archive'],
  delete: ['-', 'red', 'delete'],
  conflict: ['!', 'magenta', 'conflict'],
  gone: ['!', 'magenta', 'ticket was deleted'],
  stale: ['!', 'magenta', "doesn't match the plan"],
  failed: ['!', 'magenta', 'failed'],
  unknown: ['!', 'magenta', 'in doubt'],
  unchanged: [' ', 'green', ''],
};

function describe(operation: SyncOperation, directory: Directory): Line[] {
  const [sign, color, what] = signs[operation.type];
  const title = operation.title === undefined ? '' : ` ${JSON.stringify(shorten(operation.title))}`;
  const lines: Line[] = [{ text: `${sign} ${operation.key}${title}${what && ` (${what})`}`, color }];
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
  if (Array.isArray(value)) return value.map((id) => directory.nameOf(`${id}`)).join(', ') || 'none';
  if (typeof value !== 'string') return String(value);
  return JSON.stringify(shorten(plainText(directory.nameOf(value))));
}

const shorten = (text: string) => truncate(toOneLine(text), 60);

function summaryOf({ counts, blockedRemovals }: SyncPlan<unknown>): string {
  const named = Object.entries(labels).map(([type, label]) => {
    const count = counts[type as SyncOperation['type']];
    return count > 0 ? `${count.toLocaleString('en-US')} ${label}` : '';
  });
  const blocked = blockedRemovals > 0 ? `\n${describeBlocked(blockedRemovals)}` : '';
  return `${named.filter(Boolean).join(', ') || 'no rows'}${blocked}`;
}

const labels: Record<SyncOperation['type'], string> = {
  create: 'to create',
  recreate: 'to re-create',
  update: 'to update',
  revive: 'to unarchive',
  archive: 'to archive',
  delete: 'to delete',
  conflict: 'with conflicts',
  gone: 'with a deleted ticket',
  stale: 'not matching the plan',
  failed: 'failed',
  unknown: 'in doubt',
  unchanged: 'unchanged',
};

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
  const named = counts.filter(([count]) => count > 0);
  const text = named.map(([count, what]) => `${count.toLocaleString('en-US')} ${what}`).join(', ');
  context.printError(`${text || 'no rows'}; ${report.requests.toLocaleString('en-US')} requests`);
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
