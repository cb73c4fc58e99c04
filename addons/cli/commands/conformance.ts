import { readFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import type { Deployment } from '../../../mock-server/index.js';
import { type OperationId, operationIds, type Scope, scopes } from '../../../src/contract/index.js';
import { ConfigurationError } from '../../../src/index.js';
import { checkHar } from '../../conformance/check-har.js';
import {
  formatHarJUnit,
  formatHarSummary,
  formatHarText,
  formatJUnit,
  formatSettings,
  formatSummary,
  formatText,
} from '../../conformance/report.js';
import { type ConformanceOptions, runConformance } from '../../conformance/run.js';
import { compareSettings, findSettings, type SettingsReport } from '../../conformance/settings.js';
import { namesIn, UsageError } from '../command-line.js';
import { addConnectionOptions, environmentHelp, toUsageError } from '../connection.js';
import type { CommandContext } from '../context.js';
import { readDeploymentFile } from '../deployment-file.js';
import { type DeploymentFlags, maxRequestsOption, runOnDeployment } from '../deployments.js';
import { describeFileError, requireWritable } from '../files.js';
import { addReportOptions, printReport, type ReportFlags, writeResult } from '../report.js';

export function createCommand(context: CommandContext): Command {
  const command = new Command('conformance').description(
    'Check a deployment against the API specification.\n\nThe run creates projects and documents, most of them named "Conformance" and a random text, and deletes them afterward. It never changes records that existed before, and never notifies anyone.',
  );
  addConnectionOptions(command)
    .option('--include-optional', 'Also check behavior that the specification leaves open')
    .option('--operation <id>', 'Check only this operation (repeatable)', namesIn(operationIds, 'operation'))
    .option(
      '--limited-scopes <scopes>',
      'Comma-separated scopes of the second credential',
      namesIn(scopes, 'scope'),
    )
    .addOption(
      new Option(
        '--settings <file>',
        'Find the settings that make the mock server behave like the deployment, and write them to this file',
      ).conflicts(['includeOptional', 'operation', 'output', 'format']),
    )
    .option('--compare', 'Instead of writing the --settings file, report what has changed since then')
    .addOption(
      new Option('--har <file>', 'Check recorded traffic (HAR) instead of sending requests').conflicts([
        'settings',
        'includeOptional',
        'operation',
        'limitedScopes',
        'maxRequests',
      ]),
    );
  return addReportOptions(command)
    .option(...maxRequestsOption(1000, 'or 2000 with --settings'))
    .addHelpText('after', help)
    .action((flags: ConformanceFlags) => run(flags, context));
}

interface ConformanceFlags extends DeploymentFlags, ReportFlags {
  includeOptional?: boolean;
  operation?: OperationId[];
  limitedScopes?: Scope[];
  settings?: string;
  compare?: boolean;
  har?: string;
}

const exitCodes = { unequal: 1, incomplete: 3 };

async function run(flags: ConformanceFlags, context: CommandContext): Promise<void> {
  const { har, settings, compare } = flags;
  if (compare && settings === undefined) throw new UsageError('--compare requires --settings <file>');
  if (har !== undefined) return checkRecording(har, flags, context);
  return settings === undefined ? checkRules(flags, context) : writeSettings(settings, flags, context);
}

async function checkRules(flags: ConformanceFlags, context: CommandContext): Promise<void> {
  const { includeOptional, operation: operations } = flags;
  const limitedCredential = limitedCredentialOf(flags, context);
  const { result: report, isStopped } = await runOnDeployment(flags, context, (options) =>
    runConformance({ ...options, limitedCredential, includeOptional, operations }),
  );
  const formatters = { text: formatText, junit: formatJUnit, summary: formatSummary };
  await printReport(report, flags, formatters, context);
  if (report.failed > 0 || report.undeletedRecords.length > 0 || isStopped) context.exitCode = 1;
}

function limitedCredentialOf(
  { limitedScopes }: ConformanceFlags,
  { env }: CommandContext,
): ConformanceOptions['limitedCredential'] {
  const { WORKTRACK_LIMITED_TOKEN: token } = env;
  if (limitedScopes && !token) throw new UsageError('--limited-scopes requires WORKTRACK_LIMITED_TOKEN');
  return token ? { token, scopes: limitedScopes } : undefined;
}

/** Writes the deployment's settings, or compares them with those in the file. */
async function writeSettings(file: string, flags: ConformanceFlags, context: CommandContext): Promise<void> {
  const before = flags.compare ? await readDeploymentFile('--settings', file) : undefined;
  if (!before) await requireWritable('--settings', file);
  const limitedCredential = limitedCredentialOf(flags, context);
  const { result, isStopped } = await runOnDeployment(flags, context, (options) =>
    findSettings({ ...options, limitedCredential }),
  );
  if (isStopped || result.undeletedRecords.length > 0) context.exitCode = exitCodes.unequal;
  if (isStopped) return context.print('the run was stopped, so the settings are incomplete');
  if (before) return printChanges(before, result, context);
  context.print(formatSettings(result));
  if (Object.keys(result.deployment).length === 1) {
    context.printError(`${file} wasn't written, because no setting could be determined`);
    context.exitCode = exitCodes.unequal;
    return;
  }
  await writeResult(file, JSON.stringify(result.deployment, null, 2), context);
  context.print(`wrote ${file}`);
}

function printChanges(before: Deployment, result: SettingsReport, context: CommandContext): void {
  const { changes, notCompared } = compareSettings(before, result.deployment);
  for (const change of changes) context.print(`✗ ${change}`);
  for (const name of notCompared) {
    context.print(`– ${name} wasn't compared: ${result.undetermined[name] ?? "it isn't in the file"}`);
  }
  for (const line of result.undeletedRecords) context.printError(`could not be deleted: ${line}`);
  context.print(changes.length === 0 ? 'nothing has changed' : `${changes.length} changed`);
  if (changes.length > 0) context.exitCode = exitCodes.unequal;
  else if (notCompared.length > 0) context.exitCode ||= exitCodes.incomplete;
}

/** Checks recorded traffic without sending requests. */
async function checkRecording(har: string, flags: ConformanceFlags, context: CommandContext): Promise<void> {
  if (flags.output !== undefined) await requireWritable('--output', flags.output);
  const text = await readFile(har, 'utf8').catch((error) => {
    throw new UsageError(`--har: could not read ${har}: ${describeFileError(error)}`);
  });
  const report = readRecording(text, har, flags);
  const formatters = { text: formatHarText, junit: formatHarJUnit, summary: formatHarSummary };
  await printReport(report, flags, formatters, context);
  if (report.problems.length > 0) context.exitCode = exitCodes.unequal;
  else if (report.ignored === report.entries) {
    context.printError(`worktrack conformance: nothing was checked: ${har} contains no requests to the API`);
    context.exitCode = exitCodes.incomplete;
  }
}

function readRecording(text: string, har: string, flags: ConformanceFlags) {
  try {
    return checkHar(text, { baseUrl: flags.baseUrl });
  } catch (error) {
    if (error instanceof ConfigurationError) throw toUsageError(error, flags);
    throw error instanceof TypeError ? new UsageError(`--har: ${har}: ${error.message}`) : error;
  }
}

const help = `
Rules marked [optional] cover behavior that the specification leaves open. Other deployments may behave
differently.

A rule is "not checkable" if, for example, the credential lacks a scope, a response lacks a field, or the
deployment keeps responding with 429.

To record traffic for --har, use the network tab of your browser's developer tools. Only requests with /api/v1 in
their path are checked. With --base-url, requests to other servers are ignored.

Examples:
  worktrack conformance --base-url https://work.example.com --organization org_1
  worktrack conformance --operation tickets.move --operation boards.delete
  worktrack conformance --format junit --output conformance.xml
  worktrack conformance --settings deployment.json
  worktrack conformance --settings deployment.json --compare
  worktrack conformance --har traffic.har --base-url https://work.example.com

${environmentHelp}
  WORKTRACK_LIMITED_TOKEN  token of a second credential with fewer scopes, used to check the scope rules (403)

Exit codes:
  0  no rules failed, the settings were written, nothing changed, or the traffic matches the contract
  1  a rule failed, a setting changed, the traffic contradicts the contract, a record couldn't be deleted, the run
     was stopped, or the deployment is unreachable or rejects the token
  2  invalid command line; nothing was sent
  3  --compare couldn't compare every setting, or the recording contains no requests to check`;
