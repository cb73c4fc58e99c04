import { Command, Option } from 'commander';
import type { CommandContext } from '../context.js';
import { checkHarFile, type HarFlags } from './check-har.js';

export function createCommand(context: CommandContext): Command {
  return new Command('drift')
    .description('Report what a deployment does differently than the API contract says.')
    .requiredOption(
      '--har <file>',
      'Recorded traffic of the deployment (HAR), which is checked without requests',
    )
    .addOption(
      new Option('--format <format>', 'Report format').choices(['text', 'junit', 'json']).default('text'),
    )
    .option('--output <file>', 'Write the report to a file and print only the summary')
    .addHelpText('after', help)
    .action((flags: HarFlags) => checkHarFile(flags, context));
}

const help = `
To record traffic, use the network tab of your browser's developer tools or "worktrack mock --har". Requests for
other servers and paths are ignored.

Lines that start with "–" are notes, such as additional fields. They don't change the exit code.

Examples:
  worktrack drift --har traffic.har
  worktrack drift --har traffic.har --format junit --output drift.xml

Exit codes:
  0  the traffic matches the contract
  1  the traffic contradicts the contract
  2  invalid command line, or the file isn't an HTTP Archive`;
