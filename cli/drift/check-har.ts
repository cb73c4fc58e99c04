import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { checkHar } from '../../conformance/check-har.js';
import { formatHarJUnit, formatHarSummary, formatHarText } from '../../conformance/har-report.js';
import { UsageError } from '../command-line.js';
import type { CommandContext } from '../context.js';
import { formatReport, type ReportFormat } from '../deployment-run.js';
import { describeFileError, requireWritable } from '../files.js';

export interface HarFlags {
  har: string;
  format: ReportFormat;
  output?: string;
}

/** Checks a recording without sending requests. If it contradicts the contract, sets the exit code to 1. */
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
  const text = formatReport(report, format, { text: formatHarText, junit: formatHarJUnit });
  if (output === undefined) context.print(text);
  else {
    await writeFile(output, `${text}\n`);
    context.print(formatHarSummary(report));
  }
  if (report.problems.length > 0) context.exitCode = 1;
}
