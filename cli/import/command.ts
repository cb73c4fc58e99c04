import { Command, InvalidArgumentError, Option } from 'commander';
import { setCompletions } from '../completion/completions.js';
import { addConnectionOptions } from '../connection-options.js';
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
  const command = new Command('import')
    .description(
      'Import tickets from a CSV or NDJSON file without duplicates. Each row becomes a ticket.\n\nA ledger file records the progress, so you can stop the import at any time and resume it later.',
    )
    .argument('<file>', 'CSV or NDJSON file to import')
    .requiredOption('--project <id>', 'Project ID (required)')
    .addOption(map.argParser(addMapping))
    .option('--key <column>', 'Column that uniquely identifies a row (default: the row number)')
    .addOption(
      new Option('--format <format>', 'File format (default: from the file extension)').choices([
        'csv',
        'ndjson',
      ]),
    )
    .addOption(
      new Option(
        '--delimiter <character>',
        'Character between CSV values, or "tab" (default: ",")',
      ).argParser(parseDelimiter),
    )
    .addOption(
      new Option(
        '--encoding <name>',
        'Text encoding, such as windows-1252 (default: UTF-8 or UTF-16)',
      ).argParser(parseEncoding),
    )
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
    .option('--new-export', 'With --resume, import a newer file that has the same keys')
    .addOption(
      new Option('--concurrency <number>', 'Number of rows to import concurrently; 1 preserves the row order')
        .argParser(parseLimit)
        .default(8),
    )
    .addOption(
      new Option('--rate <number>', 'Maximum requests per minute (default: no limit)').argParser(parseLimit),
    )
    .addHelpText('after', examples)
    .action((file: string, flags: ImportFlags) => runImportCommand(file, flags, context));
  return addConnectionOptions(command);
}

function parseLimit(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('Expected a positive integer.');
  return Number(text);
}

function parseDelimiter(text: string): string {
  if (text === 'tab') return '\t';
  if (!/^[^"\r\n]$/.test(text)) throw new InvalidArgumentError('Expected one character or "tab".');
  return text;
}

/** @returns the encoding's standard name */
function parseEncoding(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    throw new InvalidArgumentError(
      'Expected an encoding, such as utf-8, utf-16le, utf-16be, windows-1252, or shift_jis.',
    );
  }
}

const examples = `
Fields: ${ticketFields.join(', ')}.
Columns named after a field don't need --map. Use IDs or names for boards, labels, and assignees. You can also
use slugs for boards and email addresses for assignees. In CSV, separate multiple values with commas.

Examples:
  worktrack import tickets.csv --project prj_1 --map title=Summary --map board_slug=Status --dry-run
  worktrack import tickets.csv --project prj_1 --map title=Summary --map board_slug=Status --key Key --rate 600
  worktrack import tickets.csv --project prj_1 --map title=Summary --map board_slug=Status --key Key --resume

Failed and in-doubt rows are written to <file>.failed.ndjson, along with the reason. To retry them, run the
command again with --resume. A row is in doubt if its response was lost. Before retrying such a row, the
import checks whether its ticket was already created. A dry run writes the invalid rows to
<file>.dry-run.ndjson.

${environmentHelp}

Exit codes:
  0    every row was imported or passed the dry run
  1    rows failed or are in doubt, or the import stopped
  2    invalid command line or file
  130  stopped with Ctrl+C
  143  stopped by SIGTERM`;
