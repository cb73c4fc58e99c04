import { createReadStream } from 'node:fs';
import { checkHar } from '../../conformance/check-har.js';
import { formatHarJUnit, formatHarSummary, formatHarText } from '../../conformance/har-report.js';
import { UsageError } from '../command-line.js';
import type { CommandContext } from '../context.js';
import { describeFileError, requireWritable } from '../files.js';
import { printReport, type ReportFlags } from '../report.js';

export interface HarFlags extends ReportFlags {
  har: string;
}

/**
 * Checks recorded traffic without sending requests. If the traffic contradicts the contract, sets the exit
 * code to 1.
 */
export async function checkHarFile(flags: HarFlags, context: CommandContext): Promise<void> {
  const { har, output } = flags;
  if (output !== undefined) await requireWritable('--output', output);
  const report = await checkHar(createReadStream(har)).catch((error) => {
    const isFileError = (error as NodeJS.ErrnoException).syscall !== undefined;
    if (isFileError) throw new UsageError(`--har: could not read ${har}: ${describeFileError(error)}`);
    throw error instanceof TypeError ? new UsageError(`--har: ${har}: ${error.message}`) : error;
  });
  const formatters = { text: formatHarText, junit: formatHarJUnit, summary: formatHarSummary };
  await printReport(report, flags, formatters, context);
  if (report.problems.length > 0) context.exitCode = 1;
}
