import { type Command, InvalidArgumentError, Option } from 'commander';
import { Lookup } from '../../../shared/lookup.js';
import { integer, withCompletions } from '../../command-line.js';
import { createClient, hasDefaultBoard } from '../../connection.js';
import type { CommandContext } from '../../context.js';
import { stopOnSignal } from '../../stop-on-signal.js';
import { createProgressDisplay, type ProgressDisplay } from '../../terminal/progress.js';
import { addMapping, type Mapping } from './mapping.js';
import { type ImportFlags, planImport } from './plan.js';

/** Adds the options for reading a file's rows. */
export function addRowOptions(command: Command, fields: readonly string[], key: Option): Command {
  const parseMapping = (text: string, mapping?: Mapping) => addMapping(text, mapping, fields);
  return command
    .requiredOption('--project <key>', 'Key, name, or ID of the project (required)')
    .option(
      '--map <field=column>',
      'Map a ticket field to a column (repeatable)',
      withCompletions(
        fields.map((field) => `${field}=`),
        parseMapping,
      ),
    )
    .addOption(key)
    .addOption(
      new Option('--format <format>', 'File format (default: from the file extension)').choices([
        'csv',
        'ndjson',
      ]),
    )
    .option(
      '--delimiter <character>',
      'Character between CSV values, or "tab" (default: ",")',
      parseDelimiter,
    )
    .option(
      '--encoding <name>',
      'Text encoding, such as windows-1252 (default: UTF-8 or UTF-16)',
      parseEncoding,
    );
}

/** Adds the options that limit how fast rows are written. */
export const addRunOptions = (command: Command): Command =>
  command
    .option(
      '--concurrency <number>',
      'Number of rows to write concurrently; 1 preserves the row order',
      integer(1),
      8,
    )
    .option('--rate <number>', 'Maximum requests per minute (default: no limit)', integer(1));

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

/** The file to import or sync, and its target project. */
export type FileJob<Flags extends ImportFlags> = Awaited<ReturnType<typeof openJob<Flags>>>;

/**
 * Reads the file, connects, and finds the project.
 *
 * @param fields the fields that a column can be mapped to
 * @throws UsageError if the file or the options are invalid
 */
export async function openJob<Flags extends ImportFlags>(
  file: string,
  flags: Flags,
  context: CommandContext,
  fields: readonly string[],
) {
  const plan = await planImport(file, flags, fields, hasDefaultBoard(context.env));
  const display = createProgressDisplay(plan.rows, context.printError);
  const throttle = flags.rate === undefined ? {} : { throttle: { requestsPerMinute: flags.rate } };
  // Print log messages through the display so that they don't break the progress bar.
  const client = await createClient(flags, { ...context, printError: display.printError }, throttle);
  const lookup = new Lookup(client);
  const { id: project } = await lookup.project(flags.project);
  return { plan, display, client, lookup, flags: { ...flags, project } };
}

export const stopImportOnSignal = ({ printError }: Pick<ProgressDisplay, 'printError'>) =>
  stopOnSignal(() => printError('Stopping. In-flight requests have five seconds to finish.'));
