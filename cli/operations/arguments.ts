import { parseArgs } from 'node:util';
import type { OperationId } from '../../src/contract/index.js';
import { parseError, UsageError } from '../usage-error.js';
import { type Field, fieldsOf, positionalsOf } from './description.js';

/** A command line, read: what the client's method takes, and how to print what it gives. */
export interface Reading {
  positionals: string[];
  /** Query or body; undefined where the operation has none. */
  payload: Record<string, unknown> | undefined;
  json: boolean;
  all: boolean;
  baseUrl: string | undefined;
  organization: string | undefined;
  allowPlainHttp: boolean | undefined;
}

/** The options that every command has. */
export const commonOptions = {
  json: { type: 'boolean' },
  all: { type: 'boolean' },
  data: { type: 'string' },
  null: { type: 'string', multiple: true },
  'base-url': { type: 'string' },
  organization: { type: 'string' },
  'allow-plain-http': { type: 'boolean' },
} as const;

/**
 * Reads what stands after a command's words. Names of fields are the API's (`--wip_limit`), with
 * hyphens too.
 *
 * @throws UsageError that names the operation and says what was not understood
 */
export function readArguments(id: OperationId, args: readonly string[], stdin: () => string): Reading {
  try {
    return read(id, args, stdin);
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${id}: ${error.message}`) : error;
  }
}

function read(id: OperationId, args: readonly string[], stdin: () => string): Reading {
  const fields = fieldsOf(id);
  const { values, positionals } = parse(fields, args);
  const wanted = positionalsOf(id);
  if (positionals.length !== wanted.length) {
    const names = wanted.map((name) => `<${name}>`).join(' ') || 'nothing';
    const given = positionals.map((word) => JSON.stringify(word)).join(' ') || 'nothing';
    throw new UsageError(`takes ${names} after its name, not ${given}; see --help`);
  }
  const given = Object.fromEntries(fields.flatMap((field) => valueGiven(field, values)));
  const payload = { ...bodyOf(values.data, stdin), ...given };
  return {
    positionals,
    payload: fields.length > 0 ? payload : undefined,
    json: values.json === true,
    all: values.all === true,
    baseUrl: values['base-url'],
    organization: values.organization,
    allowPlainHttp: values['allow-plain-http'],
  };
}

type Values = Record<string, unknown> & {
  data?: string;
  null?: string[];
  organization?: string;
  'base-url'?: string;
  'allow-plain-http'?: boolean;
};

function parse(fields: Field[], args: readonly string[]) {
  const own = fields.map(({ name, type }) => [
    name,
    { type: type === 'boolean' ? 'boolean' : 'string', multiple: type === 'array' },
  ]);
  const hyphens = args.map((arg) => {
    const [, name = '', rest = ''] = /^--([\w-]+)(=.*)?$/s.exec(arg) ?? [];
    const known = name.replaceAll('-', '_');
    return fields.some((field) => field.name === known || `no_${field.name}` === known)
      ? `--${known.replace(/^no_/, 'no-')}${rest}`
      : arg;
  });
  const options = { ...Object.fromEntries(own), ...commonOptions };
  try {
    return parseArgs({ args: hyphens, options, allowPositionals: true, allowNegative: true }) as {
      values: Values;
      positionals: string[];
    };
  } catch (error) {
    throw parseError(error, options);
  }
}

function valueGiven({ name, type, nullable }: Field, values: Values): [string, unknown][] {
  if (values.null?.some((field) => field.replaceAll('-', '_') === name)) {
    if (!nullable) throw new UsageError(`--null ${name}: it cannot be null`);
    return [[name, null]];
  }
  const value = values[name];
  if (value === undefined) return [];
  if (type === 'integer' && !/^-?\d+$/.test(value as string)) {
    throw new UsageError(`--${name} takes an integer, not ${JSON.stringify(value)}`);
  }
  return [[name, type === 'integer' ? Number(value) : value]];
}

/** `--data '{…}'`, or `--data -` for what is piped in. */
function bodyOf(body: string | undefined, stdin: () => string): Record<string, unknown> {
  if (body === undefined) return {};
  try {
    const value = JSON.parse(body === '-' ? stdin() : body);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Said below, as for JSON of another kind.
  }
  throw new UsageError('--data takes a JSON object, or - for one on standard input');
}
