import { Command } from 'commander';
import { type OperationId, operationIds, type Scope, scopes } from '../../../src/contract/index.js';
import { formatJUnit, formatSummary, formatText } from '../../conformance/report.js';
import { runConformance } from '../../conformance/run.js';
import { namesIn, UsageError } from '../command-line.js';
import { addConnectionOptions, environmentHelp } from '../connection.js';
import type { CommandContext } from '../context.js';
import { type DeploymentFlags, maxRequestsOption, runOnDeployment } from '../deployments.js';
import { addReportOptions, printReport, type ReportFlags } from '../report.js';

export function createCommand(context: CommandContext): Command {
  const command = new Command('conformance').description(
    'Check a deployment against the API specification.\n\nThe run creates projects and documents, most of them named "Conformance", and deletes them afterward. It never notifies anyone.',
  );
  addConnectionOptions(command)
    .option('--include-optional', 'Also check behavior that the specification leaves open')
    .option('--operation <id>', 'Check only this operation (repeatable)', namesIn(operationIds, 'operation'))
    .option(
      '--limited-scopes <scopes>',
      'Comma-separated scopes of the second credential',
      namesIn(scopes, 'scope'),
    );
  return addReportOptions(command)
    .option(...maxRequestsOption(1000))
    .addHelpText('after', examples)
    .action((options: ConformanceFlags) => check(options, context));
}

interface ConformanceFlags extends DeploymentFlags, ReportFlags {
  includeOptional?: boolean;
  operation?: OperationId[];
  limitedScopes?: Scope[];
}

async function check(flags: ConformanceFlags, context: CommandContext): Promise<void> {
  const { includeOptional, operation: operations, limitedScopes } = flags;
  const { WORKTRACK_LIMITED_TOKEN: limitedToken } = context.env;
  if (limitedScopes && !limitedToken)
    throw new UsageError('--limited-scopes requires WORKTRACK_LIMITED_TOKEN');
  const limitedCredential = limitedToken ? { token: limitedToken, scopes: limitedScopes } : undefined;
  const { result: report, isStopped } = await runOnDeployment(flags, context, (options) =>
    runConformance({ ...options, limitedCredential, includeOptional, operations }),
  );
  const formatters = { text: formatText, junit: formatJUnit, summary: formatSummary };
  await printReport(report, flags, formatters, context);
  if (report.failed > 0 || report.undeletedRecords.length > 0 || isStopped) context.exitCode = 1;
}

const examples = `
Rules marked [optional] cover behavior that the specification leaves open. Other deployments may behave
differently.

A rule is "not checkable" if, for example, the credential lacks a scope, a response lacks a field, or the
deployment keeps responding with 429.

Examples:
  worktrack conformance --base-url https://work.example.com --organization org_1
  worktrack conformance --operation tickets.move --operation boards.delete
  worktrack conformance --format junit --output conformance.xml

${environmentHelp}
  WORKTRACK_LIMITED_TOKEN  token of a second credential with fewer scopes, used to check the scope rules (403)

Exit codes:
  0  no rules failed
  1  a rule failed, a record couldn't be deleted, the run was stopped, or the deployment is unreachable or rejects
     the token
  2  invalid command line; nothing was sent`;
