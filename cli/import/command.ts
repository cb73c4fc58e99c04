import { Command, Option } from 'commander';
import { addConnectionOptions } from '../connection.js';
import type { CommandContext } from '../context.js';
import { environmentHelp } from '../help-text.js';
import { addRowOptions, addRunOptions } from './file-options.js';
import { ticketFields } from './mapping.js';
import type { ImportFlags } from './plan.js';
import { runImportCommand } from './run-import-command.js';

export function createCommand(context: CommandContext): Command {
  const command = new Command('import')
    .description(
      'Import tickets from a CSV or NDJSON file without duplicates. Each row becomes a ticket.\n\nA ledger file records the progress, so you can stop the import at any time and resume it later.',
    )
    .argument('<file>', 'CSV or NDJSON file to import');
  const key = new Option('--key <column>', 'Column that uniquely identifies a row (default: the row number)');
  addRowOptions(command, ticketFields, key)
    .addOption(
      new Option('--dry-run', 'Validate every row without creating tickets').conflicts([
        'ledger',
        'resume',
        'newExport',
        'concurrency',
      ]),
    )
    .option('--ledger <file>', 'Ledger file (default: <file>.<project>.ledger)')
    .option('--resume', 'Resume the import recorded in the ledger')
    .option('--new-export', 'With --resume, import a newer file that has the same keys');
  addRunOptions(command)
    .addHelpText('after', examples)
    .action((file: string, flags: ImportFlags) => runImportCommand(file, flags, context));
  return addConnectionOptions(command);
}

const examples = `
Fields: ${ticketFields.join(', ')}.
Columns named after a field don't need --map. Use IDs or names for boards, labels, and assignees. You can also
use slugs for boards and email addresses for assignees. In CSV, separate multiple values with commas.

Examples:
  worktrack import tickets.csv --project APO --map title=Summary --map board_slug=Status --dry-run
  worktrack import tickets.csv --project APO --map title=Summary --map board_slug=Status --key Key --rate 600
  worktrack import tickets.csv --project APO --map title=Summary --map board_slug=Status --key Key --resume

Failed and in-doubt rows are written to <file>.failed.ndjson, along with the reason. To retry them, run the
command again with --resume. A row is in doubt if its response was lost. Before retrying such a row, the
import checks whether its ticket was already created. A dry run writes the invalid rows to
<file>.dry-run.ndjson.

${environmentHelp}

Exit codes:
  0    every row was imported or passed the dry run
  1    rows failed, are in doubt, or may have two tickets, the import stopped, or the API didn't respond
  2    invalid command line or file
  3    the credential is invalid or lacks a scope
  4    unknown project
  129  stopped by SIGHUP
  130  stopped with Ctrl+C
  143  stopped by SIGTERM
If the import can't start: 3 after a 401 or 403, 4 after a 404, and 6 after a 429 or 5xx`;
