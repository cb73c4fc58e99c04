import { Command, Option } from 'commander';
import { addConnectionOptions } from '../connection.js';
import type { CommandContext } from '../context.js';
import { maxRequestsOption } from '../deployment-run.js';
import { environmentHelp } from '../help-text.js';
import { addReportOptions } from '../report.js';
import { checkHarFile, type HarFlags } from './check-har.js';
import { type BaselineFlags, compareWithBaseline } from './compare-with-baseline.js';

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
    .addOption(maxRequestsOption(2000))
    .addHelpText('after', help)
    .action((flags: BaselineFlags & Partial<HarFlags>) =>
      flags.har === undefined
        ? compareWithBaseline(flags, context)
        : checkHarFile({ ...flags, har: flags.har }, context),
    );
}

const help = `
With --baseline, behavior that can't be observed, for example because a scope is missing, is reported as
"not compared", not as changed.

To record traffic for --har, use the network tab of your browser's developer tools or "worktrack mock --har". Requests
to other servers and paths are ignored.

Lines that start with "–" are notes, such as additional fields. They don't change the exit code.

Examples:
  worktrack drift --baseline deployment.json
  worktrack drift --baseline deployment.json --read-only
  worktrack drift --baseline deployment.json --format junit --output drift.xml
  worktrack drift --har traffic.har

${environmentHelp}

Exit codes:
  0  nothing changed, or the traffic matches the contract
  1  something changed, or the traffic contradicts the contract
  2  invalid command line; nothing was sent
  3  nothing changed, but something in the baseline couldn't be compared, a record couldn't be deleted, or the
     deployment is unreachable or rejects the token`;
