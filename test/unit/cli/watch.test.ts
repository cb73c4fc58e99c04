import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import type { Change } from 'worktrack/jobs';
import { post } from '../../../addons/cli/commands/deliver.js';
import { listenOnLoopback } from '../../support/loopback.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { type CommandLineOptions, commandLine } from './support/run.js';

const secret = `whsec_${Buffer.from('a secret with enough bytes').toString('base64')}`;

/** A project with two tickets, and a book that already contains them. */
async function start(options: CommandLineOptions = {}) {
  const folder = await temporaryFolder();
  const { mock, run } = commandLine(options);
  const project = mock.add.project({ id: 'prj_apollo', key: 'APO', name: 'Apollo' });
  const [todo, done] = ['Todo', 'Done'].map((name) => mock.add.board({ project: project.id, name }).id);
  const [first, second] = ['First', 'Second'].map(
    (title) => mock.add.ticket({ board: todo as string, title }).id,
  ) as [string, string];
  const book = join(folder, 'apo.db');
  const watch = (...args: string[]) => run('watch', '--project', 'APO', '--book', book, '--once', ...args);
  expect(await watch()).toEqual({ code: 3, output: '', errors: '' });
  const change = async () => {
    await run('tickets', 'move', first, '--board_id', done as string);
    await run('tickets', 'delete', second, '--yes');
  };
  return { mock, run, project, first, second, folder, book, watch, change };
}

/** Starts a webhook receiver that responds as the given function does, or with 204 by default. */
async function receive(respond: (response: ServerResponse, count: number) => void = (to) => to.end()) {
  const messages: { type: string; data: Change }[] = [];
  const attempts: IncomingMessage[] = [];
  const server = createServer(async (request, response) => {
    attempts.push(request);
    const body = await text(request);
    // `verify` throws an error if the signature is wrong.
    const message = new Webhook(secret).verify(body, request.headers as Record<string, string>);
    messages.push(message as (typeof messages)[number]);
    respond(response, attempts.length);
  });
  return {
    url: `http://127.0.0.1:${await listenOnLoopback(server)}/hook`,
    messages,
    attempts,
  };
}

describe('worktrack watch --once', () => {
  test('prints each change as a line of JSON, and exits with 3 if nothing has changed', async () => {
    const { watch, change, first, second } = await start();
    await change();
    const { code, output, errors } = await watch();
    expect([code, errors]).toEqual([0, '']);
    expect(output.split('\n').map((line) => JSON.parse(line))).toMatchObject([
      { type: 'ticket.moved', recordId: first, fields: ['board_id', 'started_at'] },
      { type: 'ticket.deleted', recordId: second, before: { title: 'Second' }, after: null },
    ]);
    expect(await watch()).toMatchObject({ code: 3, output: '' });
  });

  test('exits with 143 instead of 0 if SIGTERM stops it', async () => {
    const { mock, watch, change } = await start();
    await change();
    mock.override('boards.list', () => {
      process.emit('SIGTERM', 'SIGTERM');
      return [];
    });
    expect(await watch()).toEqual({ code: 143, output: '', errors: '' });
  });

  test('stops delivering changes after SIGTERM, and delivers the rest in the next run', async () => {
    const { watch, change, folder } = await start();
    await change();
    const log = join(folder, 'log');
    const timer = setInterval(() => existsSync(log) && process.emit('SIGTERM', 'SIGTERM'), 10);
    const command = `echo "$WORKTRACK_CHANGE_TYPE" >> ${log}; sleep 0.2`;
    const { code } = await watch('--exec', command).finally(() => clearInterval(timer));
    expect(code).toBe(143);
    expect(await readFile(log, 'utf8')).toBe('ticket.moved\n');
    await watch('--exec', command);
    expect(await readFile(log, 'utf8')).toBe('ticket.moved\nticket.deleted\n');
  });

  test('prints readable lines without control characters to a terminal', async () => {
    const { run, first, second, book } = await start({ terminal: true });
    await run('tickets', 'update', first, '--title', 'Fuel\u001b[31m valves', '--priority', 'high');
    await run('tickets', 'delete', second, '--yes');
    const { output } = await run('watch', '--project', 'APO', '--book', book, '--once');
    expect(output.replace(/^\d\d:\d\d:\d\d /gm, '')).toBe(
      `ticket.updated "Fuel [31m valves" (title: "First" → "Fuel [31m valves", priority: "normal" → "high")
ticket.deleted "Second"`,
    );
    expect(output).not.toContain('\u001b');
  });

  test('runs a command for each change and stops after the first failure', async () => {
    const { watch, change, first, second, folder } = await start();
    await change();
    const log = join(folder, 'log');
    const failing = await watch('--exec', `cat >> ${log}; test "$WORKTRACK_CHANGE_TYPE" != ticket.deleted`);
    expect(failing.code).toBe(1);
    expect(failing.errors).toMatch(
      /^worktrack: --exec: the command failed with exit code 1 for change \S{16}$/,
    );
    const again = await watch('--exec', `cat >> ${log}`);
    expect(again).toEqual({ code: 0, output: '', errors: '' });
    const delivered = (await readFile(log, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(delivered.map(({ recordId }) => recordId)).toEqual([first, second, second]);
    expect(delivered[1].id).toBe(delivered[2].id);
  });

  test('considers a change delivered even if the command exits without reading it from its input', async () => {
    const { watch, change } = await start();
    await change();
    expect(await watch('--exec', 'exit 0')).toMatchObject({ code: 0, errors: '' });
  });

  test('sends signed webhooks in the order of the changes', async () => {
    const { watch, change, first, second, folder } = await start();
    const { url, messages, attempts } = await receive();
    await change();
    const file = join(folder, 'secret');
    await writeFile(file, `${secret}\n`);
    expect(await watch('--post', url, '--secret', file)).toEqual({ code: 0, output: '', errors: '' });
    expect(messages).toMatchObject([
      { type: 'ticket.moved', data: { recordId: first } },
      { type: 'ticket.deleted', data: { recordId: second } },
    ]);
    expect(attempts.map(({ headers }) => headers['webhook-id'])).toEqual(messages.map(({ data }) => data.id));
  });

  test('exits with 1, not 3, if the token is rejected', async () => {
    const { mock, watch } = await start();
    mock.faults.add({ status: 401 });
    const { code, errors } = await watch();
    expect(code).toBe(1);
    expect(errors).toContain('401');
  });

  test('suggests a similar project key if the given key is unknown', async () => {
    const { run } = await start();
    const { code, errors } = await run('watch', '--project', 'APX');
    expect([code, errors]).toEqual([4, 'worktrack watch: "APX" is not a project; did you mean "APO"?']);
  });

  test.each([
    ['ID', 'prj_apollo'],
    ['key', 'apo'],
    ['name', 'Apollo'],
  ])('reports the loss of a project that is specified by its %s once', async (_, reference) => {
    const { mock, run, project, book } = await start();
    await run('projects', 'delete', project.id, '--yes');
    mock.add.project({ key: 'GEM' });
    const watchAgain = () => run('watch', '--project', reference, '--book', book, '--once');
    const { code, output } = await watchAgain();
    expect(code).toBe(0);
    expect(JSON.parse(output)).toMatchObject({ type: 'project.inaccessible', before: { key: 'APO' } });
    expect(await watchAgain()).toEqual({ code: 3, output: '', errors: '' });
  });

  test("doesn't pass the token or the webhook secret to the command unless --pass-secrets is set", async () => {
    const secrets = { WORKTRACK_TOKEN: 'wt_secret', WORKTRACK_WEBHOOK_SECRET: secret };
    const { watch, change, folder, book } = await start({
      env: { ...process.env, ...secrets, OTHER: 'kept' },
    });
    await change();
    const log = join(folder, 'log');
    const command = `echo "$WORKTRACK_TOKEN $WORKTRACK_WEBHOOK_SECRET $OTHER" > ${log}`;
    expect(await watch('--exec', command)).toMatchObject({ code: 0 });
    expect(await readFile(log, 'utf8')).toBe('  kept\n');
    await rm(book);
    const all = ['--initial', 'emit', '--exec', command, '--pass-secrets'];
    expect(await watch(...all)).toMatchObject({ code: 0 });
    expect(await readFile(log, 'utf8')).toBe(`wt_secret ${secret} kept\n`);
  });

  test('suggests the option that raises the deletion limit if the limit is exceeded', async () => {
    const { mock, run, project, watch, first } = await start();
    const board = mock.state.tickets.get(first)?.board_id as string;
    for (let index = 0; index < 20; index++) mock.add.ticket({ board });
    await watch();
    for (const { id } of mock.state.tickets.filter((ticket) => ticket.project_id === project.id)) {
      await run('tickets', 'delete', id, '--yes');
    }
    expect(await watch()).toMatchObject({
      code: 1,
      errors: expect.stringContaining('If they were really deleted, pass --max-deletions with 22 or more'),
    });
    expect((await watch('--max-deletions', '22')).output.split('\n')).toHaveLength(22);
  });
});

describe('worktrack watch --post', () => {
  const change = { id: 'abc', type: 'ticket.created', observedAt: '2026-01-01T00:00:00Z' } as Change;

  function sender(url: string, options: { delays?: number[]; signal?: AbortSignal; timeout?: number } = {}) {
    const problems: string[] = [];
    const { signal = new AbortController().signal, delays = [1, 1], timeout = 20_000 } = options;
    const onRetry = (message: string) => problems.push(message);
    return { problems, send: post({ url: new URL(url), secret, signal, onRetry, delays, timeout }) };
  }

  test.each([
    [
      'an error status',
      (response: ServerResponse) => response.writeHead(500).end(),
      'the webhook responded with 500',
    ],
    [
      'a redirect',
      (response: ServerResponse) => response.writeHead(302, { location: '/' }).end(),
      'the webhook responded with 302',
    ],
    ['a closed connection', (response: ServerResponse) => response.destroy(), 'other side closed'],
    ['no response', () => {}, 'The operation was aborted due to timeout'],
  ])('retries after %s', async (_, fail, problem) => {
    const { url, attempts } = await receive((response, count) =>
      count < 3 ? fail(response) : response.end(),
    );
    // The last attempt must get its response in time, even on a busy machine.
    const { send, problems } = sender(url, problem.includes('timeout') ? { timeout: 1000 } : {});
    await send(change);
    expect(attempts.map(({ url: path, headers }) => [path, headers['webhook-id']])).toEqual(
      Array.from({ length: 3 }, () => ['/hook', 'abc']),
    );
    const message = `--post: ${problem}; retrying in 0.001 s`;
    expect(problems).toEqual([message, message]);
  });

  test("fails after the last attempt with an error that omits the URL's path, which may be secret", async () => {
    const { url } = await receive((response) => response.writeHead(410).end());
    const { send } = sender(url);
    await expect(send(change)).rejects.toThrow(
      `--post: ${new URL(url).origin} failed 3 times for change abc: the webhook responded with 410`,
    );
  });

  test('stops waiting for the next attempt when the signal aborts', async () => {
    const stop = new AbortController();
    const { url } = await receive((response) => {
      response.writeHead(500).end();
      setTimeout(() => stop.abort(), 20);
    });
    await expect(sender(url, { delays: [60_000], signal: stop.signal }).send(change)).rejects.toThrow();
  });
});
