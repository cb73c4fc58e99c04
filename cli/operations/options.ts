import { type Command, InvalidArgumentError, Option } from 'commander';
import { type OperationId, operationOf } from '../../src/contract/index.js';
import { addConnectionOptions, type ConnectionOptions } from '../connection-options.js';
import { type Field, fieldsOf } from './description.js';

/** The parsed options of an operation's command. */
export interface OperationOptions extends ConnectionOptions {
  json?: boolean;
  all?: boolean;
  data?: string;
  null?: string[];
  [field: string]: unknown;
}

/** Adds an option for each query or body field, plus the options shared by all operations. */
export function addOptions(command: Command, id: OperationId): void {
  const fields = fieldsOf(id);
  const { paginated, method } = operationOf(id);
  for (const option of fields.flatMap(optionsOf)) command.addOption(option.helpGroup('Fields:'));
  const nullable = fields.filter((field) => field.nullable).map(({ name }) => name);
  if (nullable.length > 0) command.addOption(nullOption(nullable).helpGroup('Fields:'));
  if (fields.length > 0 && method !== 'GET') {
    const text = 'Fields as a JSON object, or "-" to read the object from standard input';
    command.addOption(new Option('--data <json>', text).helpGroup('Fields:'));
  }
  if (paginated) command.option('--all', 'Print all pages instead of just one');
  command.option('--json', 'Print JSON instead of a table (default if the output is piped)');
  addConnectionOptions(command);
}

function optionsOf({ name, type, description, values, required }: Field): Option[] {
  const text = describe(description, required);
  if (type === 'boolean')
    return [new Option(`--${name}`, text), new Option(`--no-${name}`, `Set ${name} to false`)];
  const option = new Option(
    `--${name} <${placeholders[type]}>`,
    type === 'array' ? `${text} (repeatable)` : text,
  );
  if (type === 'array') return [option.argParser(append)];
  if (type === 'integer') return [option.argParser(parseInteger)];
  return [values.length > 0 ? option.choices(values) : option];
}

const placeholders: Readonly<Record<Exclude<Field['type'], 'boolean'>, string>> = {
  string: 'string',
  integer: 'integer',
  array: 'string',
};

/**
 * Converts an OpenAPI description to one line of help text. Removes the allowed values because Commander
 * appends them.
 */
function describe(description: string, required: boolean): string {
  const text = description
    .replace(/^(?:One of )?(?:`[^`]*`(?:,? or |, )?){2,}\. /, '')
    .replaceAll('`', '')
    .replace(/\.$/, '');
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return [sentence, required && '(required)'].filter(Boolean).join(' ');
}

function nullOption(names: readonly string[]): Option {
  const option = new Option('--null <field>', 'Set this field to null (repeatable)').choices(names);
  return option.argParser((value, previous: string[] | undefined) => {
    const name = value.replaceAll('-', '_');
    if (!names.includes(name)) throw new InvalidArgumentError(`Allowed choices are ${names.join(', ')}.`);
    return append(name, previous);
  });
}

const append = (value: string, previous: string[] | undefined) => [...(previous ?? []), value];

export function parseInteger(text: string): number {
  if (!/^-?\d+$/.test(text)) throw new InvalidArgumentError('Expected an integer.');
  return Number(text);
}
