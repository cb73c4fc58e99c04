import { type Command, InvalidArgumentError, Option } from 'commander';
import { integer, setCompletions } from '../command-line.js';
import { addMapping, type Mapping } from './mapping.js';

/** Adds the options for reading a file's rows. */
export function addRowOptions(command: Command, fields: readonly string[], key: Option): Command {
  const map = new Option('--map <field=column>', 'Map a ticket field to a column (repeatable)');
  setCompletions(
    map,
    fields.map((field) => `${field}=`),
  );
  return command
    .requiredOption('--project <key>', 'Key, name, or ID of the project (required)')
    .addOption(map.argParser((text, mapping?: Mapping) => addMapping(text, mapping, fields)))
    .addOption(key)
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
    );
}

/** Adds the options that limit how fast rows are written. */
export const addRunOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--concurrency <number>', 'Number of rows to write concurrently; 1 preserves the row order')
        .argParser(integer(1))
        .default(8),
    )
    .addOption(
      new Option('--rate <number>', 'Maximum requests per minute (default: no limit)').argParser(integer(1)),
    );

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
