import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createMockServer } from 'worktrack/mock-server';
import type { JournalEntry } from '../../addons/console/app/server/admin-api.js';
import { toCurl, toSdkCall, toVitestTest } from '../../addons/console/app/snippets/snippets.js';
import { runs, seed } from '../properties/runs.js';

const has = (program: string) => spawnSync(program, ['-c', 'exit 0']).status === 0;
const count = runs({ quick: 150, long: 5000 });

/** Strings that would run `touch canary` if a shell, a terminal, or an editor interpreted them. */
const attacks = [
  "'; touch canary; '",
  '$(touch canary) `touch canary` "; touch canary #',
  '\x1b[201~\ntouch canary\n',
  '\x1b[201~\rtouch canary\r',
  "\x03\x04\x15'\ntouch canary\n#",
  "\\'; touch canary; $'",
  '!touch !! !-1 !$',
  '\t\t~\ttouch canary\n',
  '\u009b201~\u0085touch canary\u0085',
  '\u2028touch canary\u2029\u202e\u2066\ufeff',
  '\0touch canary\n\0',
  '{1..9}[1-9]*?~#;&|<>()',
  '-K canary @canary',
  '\ud800 \udfff 👨‍👩‍👧',
  '%s%n\\x41\\101',
];

const hostileText = fc
  .array(
    fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom(...attacks) },
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(''));

const hostileEntry: fc.Arbitrary<JournalEntry> = fc
  .record({
    method: fc.constantFrom('POST', 'PATCH', "X-$(touch`'|&!"),
    query: hostileText,
    body: fc.oneof(
      hostileText,
      fc.jsonValue({ maxDepth: 3 }),
      fc.dictionary(fc.oneof(hostileText, fc.constant('__proto__')), hostileText, { maxKeys: 4 }),
    ),
  })
  .map(({ method, query, body }) => ({
    id: 'req_1',
    method,
    url: new URL(`http://x.test/api/v1/tickets/t/move?q=${query}`).href,
    operation: 'tickets.move',
    params: { ticket: query },
    body,
    status: 200,
    at: '',
    duration: 0,
  }));

/** Matches characters that a terminal or an editor acts on, except line breaks. */
const dangerous = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

const entries = fc
  .sample(hostileEntry, { numRuns: count, seed })
  .map((entry) => JSON.parse(JSON.stringify(entry)));
const wellFormed = (text: string) => new TextDecoder().decode(new TextEncoder().encode(text));
const bodyOf = ({ body }: JournalEntry) => (typeof body === 'string' ? wellFormed(body) : body);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'snippets-'));
  return () => rm(folder, { recursive: true, force: true });
});

/** Replaces curl with a function that appends its arguments and the standard input to the `sent` file. */
const fakeCurl =
  `curl() { printf '%s\\0' "$@" >> sent; case "$*" in *' @-') cat >> sent;; esac; printf '\\0END\\0' >> sent; }\n` +
  'WORKTRACK_BASE_URL=http://base; WORKTRACK_TOKEN=t\n';

function expectSent(sent: Buffer, requests: JournalEntry[]) {
  const calls = sent.toString().split('\0END\0').slice(0, -1);
  expect(calls.length).toBe(requests.length);
  for (const [index, entry] of requests.entries()) {
    const isArgument = !calls[index]?.includes('\0--data-binary\0');
    const call = (calls[index] ?? '').replace(isArgument ? /\0$/ : '', '');
    const [, flag, ...args] = call.split('\0');
    const { pathname, search } = new URL(entry.url);
    expect([flag, args.slice(0, 3)]).toEqual([
      '--globoff',
      ['-X', entry.method, `http://base${pathname}${search}`],
    ]);
    const start = call.search(/\0--data-(raw|binary)\0/);
    const sentBody = call.slice(start).replace(/^\0--data-(raw|binary)\0(@-\0)?/, '');
    const body = bodyOf(entry);
    if (typeof body === 'string') expect(sentBody).toBe(body);
    else expect(JSON.parse(sentBody)).toEqual(body);
  }
}

describe(`snippets of ${count} hostile requests`, { timeout: 600_000 }, () => {
  test("don't contain characters that a terminal or an editor interprets", () => {
    for (const entry of entries) {
      for (const snippet of [toCurl(entry), toSdkCall(entry), toVitestTest(entry)]) {
        expect(dangerous.exec(snippet ?? '')?.[0]).toBeUndefined();
      }
    }
  });

  test.runIf(has('bash'))('send exactly the recorded request when bash runs them', async () => {
    await writeFile(join(folder, 'bash.sh'), fakeCurl + entries.map(toCurl).join('\n'));
    const { stderr } = spawnSync('bash', ['bash.sh'], { cwd: folder, encoding: 'utf8' });
    expect(stderr).toBe('');
    expectSent(await readFile(join(folder, 'sent')), entries);
    expect(existsSync(join(folder, 'canary'))).toBe(false);
  });

  test.runIf(has('sh'))("don't run any other command in a shell that doesn't support $'…'", async () => {
    await writeFile(join(folder, 'sh.sh'), fakeCurl + entries.map(toCurl).join('\n'));
    spawnSync('sh', ['sh.sh'], { cwd: folder });
    const portable = entries.filter((entry) => !toCurl(entry).includes("$'"));
    expect(portable.length).toBeGreaterThan(10);
    await rm(join(folder, 'sent'), { force: true });
    await writeFile(join(folder, 'sh.sh'), fakeCurl + portable.map(toCurl).join('\n'));
    spawnSync('sh', ['sh.sh'], { cwd: folder });
    expectSent(await readFile(join(folder, 'sent')), portable);
    expect(existsSync(join(folder, 'canary'))).toBe(false);
  });

  test.runIf(has('bash') && spawnSync('script', ['--version']).status === 0).each(['with', 'without'])(
    "don't run any other command when pasted into an interactive bash %s bracketed paste",
    async (mode) => {
      await writeFile(
        join(folder, 'rc'),
        `${fakeCurl}bind 'set enable-bracketed-paste ${mode === 'with' ? 'on' : 'off'}'\nPS1='ready> '\n`,
      );
      const shell = spawn('script', ['-qec', 'bash --noprofile --rcfile rc -i', '/dev/null'], {
        cwd: folder,
        env: { ...process.env, TERM: 'xterm', HISTFILE: join(folder, 'history') },
      });
      onTestFinished(() => void shell.kill('SIGKILL'));
      let shown = 0;
      shell.stdout.on('data', (chunk) => {
        shown += String(chunk).split('ready> ').length - 1;
      });
      const prompt = (number: number) => waitUntil(() => shown >= number);
      const pasted = entries.slice(0, 40);
      await prompt(1);
      for (const [index, entry] of pasted.entries()) {
        const snippet = toCurl(entry);
        shell.stdin.write(mode === 'with' ? `\x1b[200~${snippet}\x1b[201~\r` : `${snippet}\r`);
        await prompt(index + 2);
      }
      shell.stdin.write('exit\r');
      await once(shell, 'exit');
      expectSent(await readFile(join(folder, 'sent')), pasted);
      expect(existsSync(join(folder, 'canary'))).toBe(false);
    },
  );

  test('call the SDK with exactly the recorded body', async () => {
    for (const entry of entries) {
      const [, call = ''] = /await (client.*)\);\n$/s.exec(toSdkCall(entry) ?? '') ?? [];
      let sent: unknown[] = [];
      const client = {
        tickets: {
          move: (...args: unknown[]) => {
            sent = args;
          },
        },
      };
      new Function('client', call)(client);
      expect(sent).toEqual([entry.params?.ticket, ...(entry.body === null ? [] : [entry.body])]);
      expect(Object.getPrototypeOf(Object(sent.at(-1)))).toBe(
        Object.getPrototypeOf(Object(sent[1] === undefined ? '' : entry.body)),
      );
    }
  });
});

async function waitUntil(condition: () => boolean): Promise<void> {
  for (let waited = 0; waited < 10_000 && !condition(); waited += 10) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(condition()).toBe(true);
}

test('control characters that a website stores in the journal are escaped in snippets', async () => {
  const mock = createMockServer();
  const { baseUrl, token, organization } = mock.clientOptions();
  await mock.fetch(`${baseUrl}/api/v1/organizations/${organization}/projects`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain' },
    body: '\x1b[201~\ntouch canary\n',
  });
  const entry = JSON.parse(JSON.stringify(mock.requests.last()));
  expect(toCurl(entry)).toMatch(/--data-raw \$'\\x1b\[201~\\x0atouch canary\\x0a'$/);
});
