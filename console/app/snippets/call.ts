import { operations } from 'worktrack/contract';
import type { JournalEntry } from '../server/types.js';

/** The path and the query of a request, without the server's URL. */
export const targetOf = ({ url }: JournalEntry): string => {
  const { pathname, search } = new URL(url, 'http://localhost');
  return pathname + search;
};

/** Path and query below the base URL of the API, such as `/api/v1/tickets/tkt_1`. */
export const apiTargetOf = (entry: JournalEntry): string => targetOf(entry).replace(/^.*?(?=\/api\/v\d)/, '');

/** `client.tickets.move('tkt_1', { … })`; undefined if the request doesn't belong to an operation. */
export function callOf(entry: JournalEntry): string | undefined {
  const { operation, params = {}, query, body } = entry;
  if (operation === undefined) return undefined;
  const ids = operations[operation].parameters.filter((name) => name !== 'organization');
  const payload = body ?? (query && Object.keys(query as object).length > 0 ? query : undefined);
  const values = [...ids.map((name) => params[name as keyof typeof params]), payload];
  const given = values.filter((value) => value !== undefined);
  return `client.${operation}(${given.map((value) => literal(value)).join(', ')})`;
}

/** Writes a JSON value as TypeScript. */
export function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => literal(item, inner))
    : Object.entries(value).map(([key, item]) => `${keyOf(key)}: ${literal(item, inner)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return open + close;
  const line = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  if (line.length <= 80 && !line.includes('\n')) return line;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}

/** A string in single quotes, as TypeScript. */
export const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

const keyOf = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key));
