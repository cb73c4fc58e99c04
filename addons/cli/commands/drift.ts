import { createReadStream } from 'node:fs';
import { Command, Option } from 'commander';
import type { Deployment } from '../../../mock-server/index.js';
import { ConfigurationError } from '../../../src/index.js';
import { calibrate } from '../../conformance/calibration/calibrate.js';
import { findDrift } from '../../conformance/calibration/drift.js';
import {
  type DriftReport,
  formatDrift,
  formatDriftJUnit,
  formatDriftSummary,
} from '../../conformance/calibration/report.js';
import { checkHar } from '../../conformance/check-har.js';
import { TokenRejected } from '../../conformance/expectations.js';
import { formatHarJUnit, formatHarSummary, formatHarText } from '../../conformance/report.js';
import { UsageError } from '../command-line.js';
import { addConnectionOptions, environmentHelp, toUsageError } from '../connection.js';
import type { CommandContext } from '../context.js';
import { readDeploymentFile } from '../deployment-file.js';
import { type DeploymentFlags, maxRequestsOption, runOnDeployment } from '../deployments.js';
import { describeFileError, requireWritable } from '../files.js';
import { addReportOptions, printReport, type ReportFlags } from '../report.js';

export function createCommand(context: CommandContext): Command {
  const command = new Command('drift').description(
    'Report how a deployment has changed since it was calibrated, or how its recorded traffic differs from the API contract.\n\nWith --baseline, the run creates projects and documents, most of them named "Conformance", and deletes them afterward, unless you pass --read-only. It never notifies anyone.',
  );
  addConnectionOptions(command)
    .option('--baseline <file>', 'File created by "worktrack calibrate"')
    .option('--read-only', 'Only read existing records and compare their fields')
    .addOption(
      new Option(
        '--har <file>',
        "HAR file with the deployment's traffic to check; sends no requests",
      ).conflicts(['baseline', 'readOnly', 'maxRequests']),
    );
  return addReportOptions(command)
    .option(...maxRequestsOption(2000))
    .addHelpText('after', help)
    .action((flags: DriftFlags) =>
      flags.har === undefined ? compareWithBaseline(flags, context) : checkHarFile(flags.har, flags, context),
    );
}

interface DriftFlags extends DeploymentFlags, ReportFlags {
  baseline?: string;
  readOnly?: boolean;
  har?: string;
}

const exitCodes = { unchanged: 0, changed: 1, incomplete: 3 };

/** Observes the deployment and compares it with the baseline. */
async function compareWithBaseline(flags: DriftFlags, context: CommandContext): Promise<void> {
  if (flags.baseline === undefined)
    throw new UsageError('missing baseline; pass --baseline deployment.json, or --har for recorded traffic');
  const baseline = await readDeploymentFile('--baseline', flags.baseline);
  const observed = await observe(flags, baseline, context);
  if (!observed) return;
  const { report, isComplete } = observed;
  const formatters = { text: formatDrift, junit: formatDriftJUnit, summary: formatDriftSummary };
  await printReport(report, flags, formatters, context);
  if (report.changes.length > 0) context.exitCode = exitCodes.changed;
  else if (!isComplete) context.exitCode = exitCodes.incomplete;
}

async function observe(
  flags: DriftFlags,
  baseline: Deployment,
  context: CommandContext,
): Promise<{ report: DriftReport; isComplete: boolean } | undefined> {
  // If the baseline contains no rules, it was created with `--no-rules` or `--read-only`.
  const includeRules = Object.keys(baseline.rules).length > 0;
  try {
    const { result, isStopped } = await runOnDeployment(flags, context, (options) =>
      calibrate({ ...options, readOnly: flags.readOnly, includeRules }),
    );
    for (const line of result.undeletedRecords) context.printError(`could not be deleted: ${line}`);
    const report = findDrift(baseline, result);
    const isLost = report.notCompared.some((entry) => entry.isLost);
    return { report, isComplete: !isStopped && !isLost && result.undeletedRecords.length === 0 };
  } catch (error) {
    // Don't exit with the code for changes: a connection error doesn't mean that the deployment has changed.
    if (!(error instanceof TypeError || error instanceof TokenRejected)) throw error;
    context.printError(`worktrack drift: nothing was compared: ${error.message}`);
    context.exitCode = exitCodes.incomplete;
    return undefined;
  }
}

/** Checks recorded traffic without sending requests. */
async function checkHarFile(har: string, flags: DriftFlags, context: CommandContext): Promise<void> {
  if (flags.output !== undefined) await requireWritable('--output', flags.output);
  const { baseUrl } = flags;
  // Opens the file only after the base URL has been checked.
  const open = async function* () {
    yield* createReadStream(har);
  };
  const report = await checkHar(open(), { baseUrl }).catch((error) => {
    if (error instanceof ConfigurationError) throw toUsageError(error, flags);
    const isFileError = (error as NodeJS.ErrnoException).syscall !== undefined;
    if (isFileError) throw new UsageError(`--har: could not read ${har}: ${describeFileError(error)}`);
    throw error instanceof TypeError ? new UsageError(`--har: ${har}: ${error.message}`) : error;
  });
  const formatters = { text: formatHarText, junit: formatHarJUnit, summary: formatHarSummary };
  await printReport(report, flags, formatters, context);
  if (report.problems.length > 0) context.exitCode = exitCodes.changed;
  else if (report.ignored === report.entries) {
    context.printError(`worktrack drift: nothing was checked: ${har} contains no requests to the API`);
    context.exitCode = exitCodes.incomplete;
  }
}

const help = `
With --baseline, behavior that can't be observed, for example because a scope is missing, is reported as
"not compared", not as changed.

To record traffic for --har, use the network tab of your browser's developer tools. Only requests with /api/v1 in
their path are checked. With --base-url, requests to other servers are ignored. --har ignores WORKTRACK_BASE_URL.

With --har, lines that start with "–" are notes, such as additional fields. They don't change the exit code.

Examples:
  worktrack drift --baseline deployment.json
  worktrack drift --baseline deployment.json --read-only
  worktrack drift --baseline deployment.json --format junit --output drift.xml
  worktrack drift --har traffic.har --base-url https://work.example.com

${environmentHelp}

Exit codes:
  0  nothing changed, or the traffic matches the contract
  1  something changed, or the traffic contradicts the contract
  2  invalid command line; nothing was sent
  3  nothing changed, but something in the baseline couldn't be compared, a record couldn't be deleted, the run was
     stopped, or the deployment is unreachable or rejects the token; or the recording contains no requests to check`;
