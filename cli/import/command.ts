import { Command, InvalidArgumentError, Option } from 'commander';
import { setCompletions } from '../completion/completions.js';
import type { CommandContext } from '../context.js';
import { environmentHelp } from '../help-text.js';
import { addMapping, ticketFields } from './mapping.js';
import type { ImportFlags } from './plan.js';
import { runImportCommand } from './run-import-command.js';

export function createCommand(context: CommandContext): Command {
  const map = new Option('--map <field=column>', 'Map a ticket field to a column (repeatable)');
  setCompletions(
    map,
    ticketFields.map((field) => `${field}=`),
  );
  return new Command('import')
    .description(
      'Imports tickets from a CSV or NDJSON file, one per row, each exactly once.\n\nA ledger next to the file records what was created, so you can stop the import at any time and resume it.',
    )
    .argument('<file>', 'CSV or NDJSON file with the rows')
    .requiredOption('--project <id>', 'ID of the project (required)')
    .addOption(map.argParser(addMapping))
    .option('--key <column>', 'Column that identifies a row (default: the number of the row)')
    .addOption(
      new Option('--format <format>', 'Format of the file (default: from the file extension)').choices([
        'csv',
        'ndjson',
      ]),
    )
    .option('--dry-run', 'Check every row against the API and the project without creating anything')
    .option('--ledger <file>', 'Ledger of the import (default: <file>.<project>.ledger)')
    .option('--resume', 'Continue the import of an existing ledger')
    .addOption(
      new Option(
        '--concurrency <number>',
        'Number of rows to import at the same time; 1 keeps the order of the rows',
      )
        .argParser(parseLimit)
        .default(8),
    )
    .addOption(
      new Option('--rate <number>', 'Limit the requests per minute (default: no limit)').argParser(
        parseLimit,
      ),
    )
    .option('--base-url <url>', 'URL of the deployment (env: WORKTRACK_BASE_URL)')
    .option('--organization <id>', 'ID of the organization (env: WORKTRACK_ORGANIZATION)')
    .option('--allow-plain-http', 'Send the token over unencrypted HTTP to a host other than loopback')
    .addHelpText('after', examples)
    .action((file: string, flags: ImportFlags) => runImportCommand(file, flags, context));
}

function parseLimit(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('Expected a positive integer.');
  return Number(text);
}

const examples = `
Fields: ${ticketFields.join(', ')}.
A column that has the name of a field doesn't need --map. Boards, labels and assignees can be IDs or names.
Boards can also be slugs, and assignees emails. In CSV, separate several values with commas.

Examples:
  worktrack import tickets.csv --project prj_1 --map title=Summary --map board_slug=Status --dry-run
  worktrack import tickets.csv --project prj_1 --map title=Summary --map board_slug=Status --key Key --rate 600
  worktrack import tickets.csv --project prj_1 --map title=Summary --map board_slug=Status --key Key --resume

Rows that failed or are in doubt are written to <file>.failed.ndjson, with the reason. To retry them, run
the command with --resume. Rows in doubt are looked up first.

${environmentHelp}

Exit codes:
  0    every row is imported, or passed the dry run
  1    rows failed or are in doubt, or the import stopped
  2    invalid command line or file
  130  stopped with Ctrl+C`;
