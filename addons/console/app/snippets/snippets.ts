import { operations } from 'worktrack/contract';
import { escapeInvisible, invisible } from '../../../../src/internal.js';

import type { JournalEntry } from '../server/admin-api.js';

/**
 * Formats a request as a shell command. The command reads `WORKTRACK_BASE_URL` and `WORKTRACK_TOKEN` from the
 * environment, so the snippet doesn't contain the token.
 */
export function toCurl(entry: JournalEntry): string {
  const { method, body } = entry;
  const parts = [
    // Without `--globoff`, curl would expand `[1-9]` or `{a,b}` into several requests.
    `curl -i --globoff -X ${/^[A-Z]+$/.test(method) ? method : shellQuoted(method)} "$WORKTRACK_BASE_URL"${shellQuoted(apiTargetOf(entry))}`,
    `-H "Authorization: Bearer $WORKTRACK_TOKEN"`,
  ];
  if (body === undefined) return parts.join(continued);
  const text = typeof body === 'string' ? body : escapeInvisible(JSON.stringify(body));
  const isArgument = !text.includes('\0');
  parts.push("-H 'Content-Type: application/json'");
  parts.push(isArgument ? `--data-raw ${shellQuoted(text)}` : '--data-binary @-');
  return `${isArgument ? '' : `printf ${printfFormat(text)} | `}${parts.join(continued)}`;
}

const continued = ' \\\n  ';

/** Formats a request as an SDK call. Returns undefined if the request doesn't match any operation. */
export function toSdkCall(entry: JournalEntry): string | undefined {
  const call = callOf(entry);
  return (
    call &&
    `import { Worktrack } from 'worktrack';

// Reads WORKTRACK_BASE_URL, WORKTRACK_TOKEN, and WORKTRACK_ORGANIZATION.
const client = new Worktrack();
console.log(await ${call});
`
  );
}

/**
 * Formats a request as a test that expects the same result. Returns undefined if the request doesn't match
 * any operation.
 */
export function toVitestTest(entry: JournalEntry): string | undefined {
  const call = callOf(entry);
  if (call === undefined) return undefined;
  const { operation = '', status, code, credential, fault } = entry;
  const isError = status === 0 || status >= 400 || fault !== undefined;
  const title = [operation, isError ? 'fails' : 'succeeds', 'with', code ?? fault ?? status].join(' ');
  const body = [
    'const mock = createMockServer({ world });',
    ...(fault === undefined ? [] : [`mock.faults.add(${literal(faultOf(operation, fault))});`]),
    ...clientOf(credential, isError),
    '',
    ...(isError
      ? [`await expect(${call}).rejects.toMatchObject(${literal(errorOf(entry))});`]
      : [`await ${call};`, `mock.requests.expect(${quoted(operation)}, { status: ${status} });`]),
  ];
  return `import { expect, test } from 'vitest';
import { Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';
// In the console, click "Copy as world" and save the result next to this file.
import world from './world.json' with { type: 'json' };

test(${quoted(title)}, async () => {
${body.map((line) => (line === '' ? '' : `  ${line.replaceAll('\n', '\n  ')}`)).join('\n')}
});
`.replace(isError ? '' : 'expect, ', '');
}

/**
 * Formats a failed request as a test that fails until the request succeeds. Returns undefined if the request
 * doesn't match any operation.
 */
export function toFailingTest(entry: JournalEntry): string | undefined {
  const { fault: _, code: __, ...succeeding } = entry;
  const test = toVitestTest({
    ...succeeding,
    status: entry.operation ? operations[entry.operation].status : 0,
  });
  const reason = entry.code ?? entry.fault ?? (entry.status || 'no response');
  return test?.replace(
    '\ntest(',
    `\n// When this was recorded, the request failed: ${quoted(String(reason))}.\ntest(`,
  );
}

/** Returns code that creates a client with the request's credential. */
function clientOf(credential: string | undefined, isError: boolean): string[] {
  const retry = isError ? ', retry: { limit: 0 }' : '';
  if (credential === undefined) {
    return [
      `const client = new Worktrack({ ...mock.clientOptions(), token: 'invalid', fetch: mock.fetch${retry} });`,
    ];
  }
  return [
    `const [credential] = mock.state.credentials.filter(({ name }) => name === ${quoted(credential)});`,
    "const options = mock.clientOptions({ token: credential?.token ?? '' });",
    `const client = new Worktrack({ ...options, fetch: mock.fetch${retry} });`,
  ];
}

/** Parses a fault description from the journal, such as `status 503` or `response lost`. */
function faultOf(operation: string, fault: string): object {
  const [, status] = /^status (\d+)$/.exec(fault) ?? [];
  return status ? { operation, status: Number(status) } : { operation, error: fault.replace(' ', '_') };
}

function errorOf({ status, code, fault }: JournalEntry): object {
  const isReceived = status >= 400 || fault === undefined;
  return { ...(isReceived && { status }), ...(code !== undefined && { code }) };
}

/** Returns a request's path and query, without the server's URL. */
export const targetOf = ({ url }: JournalEntry): string => {
  const { pathname, search } = new URL(url, 'http://localhost');
  return pathname + search;
};

/** Returns a request's path and query relative to the base URL, such as `/api/v1/tickets/tkt_1`. */
export const apiTargetOf = (entry: JournalEntry): string => targetOf(entry).replace(/^.*?(?=\/api\/v\d)/, '');

/**
 * Formats a request as an SDK call such as `client.tickets.move('tkt_1', { … })`. Returns undefined if the request doesn't match
 * any operation.
 */
function callOf(entry: JournalEntry): string | undefined {
  const { operation, params = {}, query, body } = entry;
  if (operation === undefined) return undefined;
  const ids = operations[operation].parameters.filter((name) => name !== 'organization');
  const payload = body ?? (query && Object.keys(query as object).length > 0 ? query : undefined);
  const values = [...ids.map((name) => params[name as keyof typeof params]), payload];
  const args = values.filter((value) => value !== undefined);
  return `client.${operation}(${args.map((value) => literal(value)).join(', ')})`;
}

/** Formats a JSON value as TypeScript. */
function literal(value: unknown, indent = ''): string {
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
const quoted = (text: string): string =>
  `'${escapeInvisible(JSON.stringify(text)).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

function keyOf(key: string): string {
  // As a plain key, `__proto__` would set the object's prototype.
  if (key === '__proto__') return `['__proto__']`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key);
}

export { escapeInvisible } from '../../../../src/internal.js';

/**
 * Quotes text for a shell. The result contains no line breaks or invisible characters, because terminals
 * interpret them even in a bracketed paste. For such text, it uses `$'…'`, which bash, zsh, and ksh support.
 */
export function shellQuoted(text: string): string {
  if (text.search(/[\n\t]/) < 0 && text.search(invisible) < 0) return `'${text.replaceAll("'", "'\\''")}'`;
  // In interactive shells, `!` can recall an earlier command.
  return `$'${text.replace(/['\\!\n\t]/g, toByteEscapes).replace(invisible, toByteEscapes)}'`;
}

/** Encodes bytes as a `printf` format string. Unlike an argument, it can contain NUL characters. */
const printfFormat = (text: string): string =>
  `'${[...new TextEncoder().encode(text)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}'`;

const toByteEscapes = (character: string): string =>
  [...new TextEncoder().encode(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
