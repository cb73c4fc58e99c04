import { Command } from 'commander';
import { type Calibration, calibrate } from '../../conformance/calibration/calibrate.js';
import { formatCalibration } from '../../conformance/calibration/report.js';
import { addConnectionOptions, environmentHelp } from '../connection.js';
import type { CommandContext } from '../context.js';
import { type DeploymentFlags, maxRequestsOption, runOnDeployment } from '../deployments.js';
import { writeResult } from '../report.js';

export function createCommand(context: CommandContext): Command {
  const command = new Command('calibrate').description(
    'Describe a deployment in a file, so that the mock server can imitate it.\n\nThe run creates projects and documents, most of them named "Conformance", and deletes them afterward, unless you pass --read-only. It never notifies anyone. The file contains field names and types, but no records.',
  );
  return addConnectionOptions(command)
    .option('--output <file>', 'File to write', 'deployment.json')
    .option('--read-only', 'Only read existing records; the file then describes only their fields')
    .option('--no-rules', "Don't check the API rules for behavior that the mock server can't emulate")
    .option(...maxRequestsOption(2000))
    .addHelpText('after', help)
    .action((flags: CalibrateFlags) => run(flags, context));
}

interface CalibrateFlags extends DeploymentFlags {
  output: string;
  readOnly?: boolean;
  rules: boolean;
}

async function run(flags: CalibrateFlags, context: CommandContext): Promise<void> {
  const { output, readOnly, rules: includeRules } = flags;
  const { result, isStopped } = await runOnDeployment(flags, context, (options) =>
    calibrate({ ...options, readOnly, includeRules }),
  );
  const problem = isStopped ? 'the run was stopped' : problemOf(result);
  if (problem === undefined) {
    await writeResult(output, JSON.stringify(result.deployment, null, 2), context);
    context.print(`${formatCalibration(result)}\nwrote ${output}`);
  } else {
    for (const line of result.undeletedRecords) context.printError(`could not be deleted: ${line}`);
    context.printError(`${output} wasn't written, because ${problem}`);
  }
  if (problem !== undefined || result.undeletedRecords.length > 0) context.exitCode = 1;
}

/** Returns why nothing could be observed, or undefined if something was observed. */
function problemOf({ deployment: { choices, shapes }, readOnly }: Calibration): string | undefined {
  const { recordFields } = choices;
  if (!readOnly)
    return 'unknown' in recordFields ? `nothing could be observed: ${recordFields.unknown}` : undefined;
  return Object.keys(shapes).length === 0 ? 'nothing could be observed: no records could be read' : undefined;
}

const help = `
Examples:
  worktrack calibrate --base-url https://staging.example.com --organization org_1
  worktrack mock --deployment deployment.json
  worktrack drift --baseline deployment.json

${environmentHelp}

Exit codes:
  0  the file was written
  1  a record couldn't be deleted, the run was stopped, or nothing could be observed, for example because the
     deployment is unreachable or rejects the token
  2  invalid command line; nothing was sent`;
