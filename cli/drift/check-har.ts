import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { checkHar, type HarReport } from '../../conformance/check-har.js';
import { formatHarJUnit, formatHarSummary, formatHarText } from '../../conformance/har-report.js';
import { UsageError } from '../command-line.js';
import type { CommandContext } from '../context.js';
import { describeFileError, requireWritable } from '../files.js';
import { toSafeJson } from '../terminal/text.js';

export interface HarFlags {
  har: string;
  format: 'text' | 'junit' | 'json';
  output?: string;
}

const formatters: Readonly<Record<HarFlags['format'], (report: HarReport) => string>> = {
  text: formatHarText,
  // The report is followed by a line break, so don't end it with another one.
  junit: (report) => formatHarJUnit(report).trimEnd(),
  json: (report) => toSafeJson(report, 2),
};

/** Checks a recording without sending requests. Sets the exit code to 1 if it contradicts the contract. */
export async function checkHarFile(
  { har, format, output }: HarFlags,
  context: CommandContext,
): Promise<void> {
  if (output !== undefined) await requireWritable('--output', output);
  const report = await checkHar(createReadStream(har)).catch((error) => {
    const isFileError = (error as NodeJS.ErrnoException).syscall !== undefined;
    if (isFileError) throw new UsageError(`--har: could not read ${har}: ${describeFileError(error)}`);
    throw error instanceof TypeError ? new UsageError(`--har: ${har}: ${error.message}`) : error;
  });
  const text = formatters[format](report);
  if (output === undefined) context.print(text);
  else {
    await writeFile(output, `${text}\n`);
    context.print(formatHarSummary(report));
  }
  if (report.problems.length > 0) context.exitCode = 1;
}
