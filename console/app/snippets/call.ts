import { operations } from 'worktrack/contract';
import type { JournalEntry } from '../server/types.js';
import { escapeInvisible } from './escape.js';

/** Returns a request's path and query, without the server's URL. */
export const targetOf = ({ url }: JournalEntry): string => {
  const { pathname, search } = new URL(url, 'http://localhost');
  return pathname + search;
};

/** Returns a request's path and query relative to the base URL, such as `/api/v1/tickets/tkt_1`. */
export const apiTargetOf = (entry: JournalEntry): string => targetOf(entry).replace(/^.*?(?=\/api\/v\d)/, '');

/** Formats a request as `client.tickets.move('tkt_1', { … })`. Returns undefined if no operation matches. */
export function callOf(entry: JournalEntry): string | undefined {
  const { operation, params = {}, query, body } = entry;
  if (operation === undefined) return undefined;
  const ids = operations[operation].parameters.filter((name) => name !== 'organization');
  const payload = body ?? (query && Object.keys(query as object).length > 0 ? query : undefined);
  const values = [...ids.map((name) => params[name as keyof typeof params]), payload];
  const args = values.filter((value) => value !== undefined);
  return `client.${operation}(${args.map((value) => literal(value)).join(', ')})`;
}

/** Formats a JSON value as TypeScript. */
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

/** Formats a string as TypeScript, in single quotes. */
export const quoted = (text: string): string =>
  `'${escapeInvisible(JSON.stringify(text)).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

function keyOf(key: string): string {
  // Otherwise, this key would set the object's prototype.
  if (key === '__proto__') return `['__proto__']`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key);
}
