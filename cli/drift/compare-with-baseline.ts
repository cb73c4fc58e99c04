import { calibrate } from '../../calibration/calibrate.js';
import { findDrift } from '../../calibration/drift.js';
import type { DriftReport } from '../../calibration/drift-report.js';
import { formatDrift, formatDriftJUnit, formatDriftSummary } from '../../calibration/report.js';
import { TokenRejected } from '../../conformance/expectations.js';
import type { Deployment } from '../../mock-server/deployment/deployment.js';
import { UsageError } from '../command-line.js';
import { askToken, type ConnectionOptions } from '../connection.js';
import type { CommandContext } from '../context.js';
import { readDeploymentFile } from '../deployment-file.js';
import { requireDeployment, runUntilStopped } from '../deployment-run.js';
import { requireWritable } from '../files.js';
import { printReport, type ReportFlags } from '../report.js';

export interface BaselineFlags extends ConnectionOptions, ReportFlags {
  baseline?: string;
  readOnly?: boolean;
  maxRequests?: number;
}

const exitCodes = { unchanged: 0, changed: 1, incomplete: 3 };

/** Observes the deployment and compares it with the baseline. */
export async function compareWithBaseline(flags: BaselineFlags, context: CommandContext): Promise<void> {
  const { baseline: path, output } = flags;
  if (path === undefined)
    throw new UsageError('missing baseline; pass --baseline deployment.json, or --har for recorded traffic');
  const baseline = await readDeploymentFile('--baseline', path);
  const connection = requireDeployment(flags, context);
  if (output !== undefined) await requireWritable('--output', output);
  const token = await askToken(context.env);
  const observed = await observe(flags, baseline, { ...connection, token }, context);
  if (!observed) return;
  const { report, isComplete } = observed;
  const formatters = { text: formatDrift, junit: formatDriftJUnit, summary: formatDriftSummary };
  await printReport(report, flags, formatters, context);
  if (report.changes.length > 0) context.exitCode = exitCodes.changed;
  else if (!isComplete) context.exitCode = exitCodes.incomplete;
}

async function observe(
  { readOnly, maxRequests }: BaselineFlags,
  baseline: Deployment,
  connection: { baseUrl: string; organization: string; token: string; allowPlainHttp: boolean | undefined },
  context: CommandContext,
): Promise<{ report: DriftReport; isComplete: boolean } | undefined> {
  // If the baseline contains no rules, it was created with `--no-rules` or `--read-only`.
  const includeRules = Object.keys(baseline.rules).length > 0;
  try {
    const { result, isStopped } = await runUntilStopped(context, (signal) =>
      calibrate({ ...connection, readOnly, includeRules, maxRequests, signal }),
    );
    for (const line of result.undeletedRecords) context.printError(`could not be deleted: ${line}`);
    const report = findDrift(baseline, result);
    const isLost = report.notCompared.some((entry) => entry.isLost);
    return { report, isComplete: !isStopped && !isLost && result.undeletedRecords.length === 0 };
  } catch (error) {
    // The exit code for changes applies only to changes in the deployment, not to connection errors.
    if (!(error instanceof TypeError || error instanceof TokenRejected)) throw error;
    context.printError(`worktrack drift: nothing was compared: ${error.message}`);
    context.exitCode = exitCodes.incomplete;
    return undefined;
  }
}
