import { UsageError } from '../command-line.js';
import type { CommandContext } from '../context.js';
import { formatCell, formatTable } from '../terminal/table.js';
import { toSafeJson } from '../terminal/text.js';
import type { OperationOptions } from './options.js';

/** Prints results in the selected format. */
export interface Output {
  isTable: boolean;
  /** Prints a record or a list. In a terminal, prints a message if the list is empty or nothing was returned. */
  print(result: unknown): void;
  /** Prints records as they arrive. Undefined if the format requires all records. */
  printEach: ((records: readonly unknown[]) => void) | undefined;
  /** Prints a note below a table. In all other formats, prints it to standard error. */
  note(text: string): void;
}

/** @throws UsageError if the options contradict each other */
export function createOutput(options: OperationOptions, context: CommandContext): Output {
  const { json, ndjson, tsv, fields } = options;
  if (tsv && !fields) throw new UsageError('--tsv requires --fields');
  const isTable = context.isTerminal && !json && !ndjson && !tsv;
  const pick = (record: unknown) =>
    fields ? Object.fromEntries(fields.map((name) => [name, Object(record)[name]])) : record;
  const format = (record: unknown) => (tsv ? toLine(pick(record)) : toSafeJson(pick(record), 0));
  const printEach = (records: readonly unknown[]) => {
    // Print all lines at once, because printing line by line would be slow.
    if (records.length > 0) context.print(records.map(format).join('\n'));
  };
  return {
    isTable,
    print(result) {
      const picked = Array.isArray(result) ? result.map(pick) : result && pick(result);
      // If the user chose the fields, show them even if they don't fit.
      if (isTable) context.print(formatTable(picked, fields ? undefined : context.width, fields));
      else if (ndjson || tsv) printEach([result].flat().filter((record) => record !== undefined));
      else if (result !== undefined) context.print(toSafeJson(picked, context.isTerminal ? 2 : 0));
    },
    printEach: ndjson || tsv ? printEach : undefined,
    note(text) {
      if (isTable) context.print(`(${text})`);
      else context.printError(`worktrack: ${text}`);
    },
  };
}

/** Formats a record's values, separated by tabs. References are shown by name. */
const toLine = (record: unknown) =>
  Object.values(Object(record))
    .map((value) => (isEmpty(value) ? '' : formatCell(value, Number.POSITIVE_INFINITY)))
    .join('\t');

const isEmpty = (value: unknown) =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);
