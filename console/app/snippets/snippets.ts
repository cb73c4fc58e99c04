import type { JournalEntry } from '../server/types.js';
import { apiTargetOf, callOf, literal, quoted } from './call.js';
import { escapeInvisible, printfFormat, shellQuoted } from './escape.js';

/**
 * Formats a request as a shell command. The command reads `WORKTRACK_BASE_URL` and `WORKTRACK_TOKEN` from the
 * environment, so the snippet doesn't contain the token.
 */
export function toCurl(entry: JournalEntry): string {
  const { method, body } = entry;
  const parts = [
    // By default, curl sends one request for each value in `[1-9]` or `{a,b}`.
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

/** Formats a request as an SDK call. Returns undefined if no operation matches. */
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

/** Formats a request as a test that expects the same result. Returns undefined if no operation matches. */
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
// Click "Copy as world" in the console and save the result next to this file.
import world from './world.json' with { type: 'json' };

test(${quoted(title)}, async () => {
${body.map((line) => (line === '' ? '' : `  ${line.replaceAll('\n', '\n  ')}`)).join('\n')}
});
`.replace(isError ? '' : 'expect, ', '');
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
