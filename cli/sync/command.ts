import { Command, Option } from 'commander';
import { integer } from '../command-line.js';
import { addConnectionOptions } from '../connection.js';
import type { CommandContext } from '../context.js';
import { environmentHelp } from '../help-text.js';
import { addRowOptions, addRunOptions } from '../import/file-options.js';
import { syncedFields } from '../import/mapping.js';
import { runSyncCommand, type SyncFlags } from './run-sync-command.js';

export function createCommand(context: CommandContext): Command {
  const command = new Command('sync')
    .description(
      'Sync tickets with a CSV or NDJSON file. Creates, updates, and moves tickets. With --on-missing, archives or deletes tickets whose rows are missing.\n\nFields that changed only in the ticket since the last sync are kept. A ledger file records the synced values.',
    )
    .argument('<file>', 'CSV or NDJSON file to sync');
  const key = new Option('--key <column>', 'Column that uniquely identifies a row (required)');
  addRowOptions(command, syncedFields, key.makeOptionMandatory())
    .addOption(new Option('--plan', 'Print the planned changes and exit').conflicts(['apply', 'yes']))
    .option(
      '--apply [plan]',
      'Apply the changes after confirmation; with a plan file, apply only the changes in it',
    )
    .option('--yes', 'Apply the changes without confirmation')
    .option('--save <plan>', 'Save the plan as a JSON file')
    .option('--diff', 'Print readable changes even if the output is not a terminal')
    .addOption(
      choice('--on-missing <action>', 'What to do with tickets whose rows are missing', [
        'keep',
        'archive',
        'delete',
      ]),
    )
    .addOption(
      new Option(
        '--max-removals <number>',
        'Archive or delete nothing if more than this many rows are missing (default: 10%, at least 10)',
      ).argParser(integer(0)),
    )
    .addOption(
      choice(
        '--on-conflict <winner>',
        'Which value wins if a field changed in both the file and the ticket',
        ['report', 'source', 'target'],
      ),
    )
    .addOption(
      choice('--on-gone <action>', "What to do if a row's ticket was deleted", ['report', 'recreate']),
    )
    .option('--ledger <file>', 'Ledger file (default: <file>.<project>.ledger, as for imports)');
  addRunOptions(command)
    .addHelpText('after', examples)
    .action((file: string, flags: SyncFlags) => runSyncCommand(file, flags, context));
  return addConnectionOptions(command);
}

const choice = (flags: string, description: string, [first, ...others]: [string, ...string[]]) =>
  new Option(flags, description).choices([first, ...others]).default(first);

const examples = `
Fields: ${syncedFields.join(', ')}.
Columns named after a field don't need --map. Use IDs or names, as for imports. Only fields with
a column are synced. An empty cell clears a description, due date, assignees, or labels.

Examples:
  worktrack sync tickets.csv --project APO --key Key --plan
  worktrack sync tickets.csv --project APO --key Key --on-missing archive --yes
  worktrack sync tickets.csv --project APO --key Key --plan --save plan.json
  worktrack sync tickets.csv --project APO --key Key --apply plan.json

Without --plan, the command prints the changes and asks before it applies them. If the output isn't a terminal,
each change is a line of JSON.

${environmentHelp}

Exit codes:
  0    everything is in sync, or the plan has no problems
  1    a row failed, is in doubt, has a conflict, or doesn't match the plan, a row's ticket was deleted, no ticket
       was removed because the file may be incomplete, the sync stopped, or you didn't confirm it
  2    invalid command line or file
  3    the credential is invalid or lacks a scope
  4    unknown project
  129  stopped by SIGHUP
  130  stopped with Ctrl+C
  143  stopped by SIGTERM
If the sync can't start: 3 after a 401 or 403, 4 after a 404, and 6 after a 429 or 5xx`;
