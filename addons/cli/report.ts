import { writeFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import type { CommandContext } from './context.js';
import { describeFileError } from './files.js';
import { toSafeJson } from './terminal/text.js';

type ReportFormat = 'text' | 'junit' | 'json';

/** The parsed options of a command that prints a report. */
export interface ReportFlags {
  format: ReportFormat;
  output?: string;
}

/** Adds the options that determine how a report is printed. */
export const addReportOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--format <format>', 'Report format').choices(['text', 'junit', 'json']).default('text'),
    )
    .option('--output <file>', 'Write the report to a file and print only the summary');

/** Prints a report, or writes it to a file and prints its summary. */
export async function printReport<Report>(
  report: Report,
  { format, output }: ReportFlags,
  formatters: Record<'text' | 'junit' | 'summary', (report: Report) => string>,
  context: CommandContext,
): Promise<void> {
  // `print` and `writeResult` add the final line break.
  const text = format === 'json' ? toSafeJson(report, 2) : formatters[format](report).trimEnd();
  if (output === undefined) return context.print(text);
  await writeResult(output, text, context);
  context.print(formatters.summary(report));
}

/**
 * Writes a run's result to a file. If writing fails, prints the result instead, because a run can take
 * minutes.
 */
export async function writeResult(path: string, text: string, context: CommandContext): Promise<void> {
  await writeFile(path, `${text}\n`).catch((error) => {
    context.print(text);
    throw new Error(`could not write ${path}: ${describeFileError(error)}; the report is above`);
  });
}
