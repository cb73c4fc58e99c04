import { type Command, InvalidArgumentError, Option } from 'commander';
import { type OperationId, operationOf } from '../../../src/contract/index.js';
import { append, integer, namesIn } from '../command-line.js';
import { addConnectionOptions, type ConnectionOptions } from '../connection.js';
import { toDateTime } from './dates.js';
import {
  type Field,
  fieldsOf,
  type ReferenceOption,
  referenceForms,
  referenceOptionsOf,
  resultOf,
} from './description.js';
import { filtersOf } from './filters.js';

/** The parsed options of an operation's command. */
export interface OperationOptions extends ConnectionOptions {
  json?: boolean;
  ndjson?: boolean;
  tsv?: boolean;
  fields?: string[];
  all?: boolean;
  data?: string;
  null?: string[];
  yes?: boolean;
  [field: string]: unknown;
}

/** Adds an option for each query or body field, plus the options shared by all operations. */
export function addOptions(command: Command, id: OperationId): void {
  const fields = fieldsOf(id);
  const { paginated, method } = operationOf(id);
  const add = (options: Option[], group: string) => {
    for (const option of options) command.addOption(option.helpGroup(group));
  };
  const references = referenceOptionsOf(id);
  const byName = (field: Field) => references.filter((reference) => reference.field === field.name);
  add(
    fields.flatMap((field) => [
      ...byName(field).map((reference) => referenceOption(reference, references)),
      ...optionsOf(field, byName(field)[0]),
    ]),
    'Fields:',
  );
  const nullable = fields.filter((field) => field.nullable).map(({ name }) => name);
  if (nullable.length > 0) add([nullOption(nullable)], 'Fields:');
  if (fields.length > 0 && method !== 'GET') {
    const text = 'Fields as a JSON object, or "-" to read the object from standard input';
    add([new Option('--data <json>', text)], 'Fields:');
  }
  const filterGroup = paginated ? 'Filters (the CLI reads all pages to apply them):' : 'Filters:';
  add(filtersOf(id).flatMap(filterOptions), filterGroup);
  if (paginated)
    command.addOption(new Option('--all', 'Print all pages instead of just one').conflicts('page'));
  if (method === 'DELETE')
    command.option('--yes', 'Delete without confirmation (required if the input is not a terminal)');
  const result = resultOf(id);
  if (result) {
    const text = 'Comma-separated fields to print, such as id,created_at';
    command.addOption(new Option('--fields <names>', text).argParser(namesIn(result.fields, 'field')));
    command.addOption(
      new Option('--tsv', 'Print tab-separated values; requires --fields').conflicts(['json', 'ndjson']),
    );
  }
  if (result?.isList) {
    const text = `Print one JSON object per line${paginated ? ', for all pages unless --page is given' : ''}`;
    command.addOption(new Option('--ndjson', text).conflicts('json'));
  }
  command.option('--json', 'Print JSON instead of a table (default if the output is piped)');
  addConnectionOptions(command);
}

/** @param byName another option that sets this field */
function optionsOf(field: Field, byName: ReferenceOption | undefined): Option[] {
  const { name, type, isDate, description, values, required } = field;
  const condition = byName ? ` unless --${byName.name} is given` : '';
  const text = describe(description, required && `(required${condition})`);
  if (type === 'boolean') return booleanOptions(name, text, `Set ${name} to false`);
  if (isDate) return [new Option(`--${name} <date>`, dateForms).argParser(checkDate)];
  const option = new Option(
    `--${name} <${type === 'integer' ? 'integer' : 'string'}>`,
    type === 'array' ? `${text} (repeatable)` : text,
  );
  if (type === 'array') return [option.argParser(append)];
  if (type === 'integer') return [option.argParser(integer())];
  return [values.length > 0 ? option.choices(values) : option];
}

const booleanOptions = (name: string, text: string, negated: string | undefined): Option[] => [
  new Option(`--${name}`, text),
  ...(negated ? [new Option(`--no-${name}`, negated)] : []),
];

/** @param all the operation's options of this kind, some of which set the same field */
function referenceOption(
  { name, field, kind, isList }: ReferenceOption,
  all: readonly ReferenceOption[],
): Option {
  const others = all
    .filter((other) => other.field === field && other.name !== name)
    .map((other) => other.name);
  const text = `${referenceForms[kind]}${isList ? ' (repeatable)' : ''}`;
  const option = new Option(`--${name} <${kind}>`, text).conflicts([field, ...others]);
  // The API has its own field for the board's slug when a ticket is created.
  if (field === 'board_id' && name !== 'board_slug') option.conflicts('board_slug');
  return isList ? option.argParser(append) : option;
}

function filterOptions({ name, text, value, negated }: ReturnType<typeof filtersOf>[number]): Option[] {
  const options = value
    ? [new Option(`--${name} <${value}>`, `${text} (repeatable)`).argParser(append)]
    : booleanOptions(name, text, negated);
  return options.map((option) => option.conflicts('page'));
}

/**
 * Converts an OpenAPI description to one line of help text. Removes the allowed values because Commander
 * appends them.
 */
function describe(description: string, required: string | false): string {
  const text = description
    .replace(/^(?:One of )?(?:`[^`]*`(?:,? or |, )?){2,}\. /, '')
    .replaceAll('`', '')
    .replace(/\.$/, '');
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return [sentence, required].filter(Boolean).join(' ');
}

function nullOption(names: readonly string[]): Option {
  const option = new Option('--null <field>', 'Set this field to null (repeatable)').choices(names);
  return option.argParser((value, previous: string[] | undefined) => {
    const name = value.replaceAll('-', '_');
    if (!names.includes(name)) throw new InvalidArgumentError(`Allowed choices are ${names.join(', ')}.`);
    return append(name, previous);
  });
}

const dateForms =
  'Date in the local time zone (2026-12-01, 2026-12-01T17:00, tomorrow, or +3d) or with an offset (RFC 3339)';

function checkDate(text: string): string {
  if (toDateTime(text) !== undefined) return text;
  throw new InvalidArgumentError('Expected a date such as 2026-12-01, 2026-12-01T17:00, tomorrow, or +3d.');
}
