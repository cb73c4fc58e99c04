import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';
import { csvField, parseCsv } from '../../examples/support/csv.js';
import { makeProject } from '../../examples/support/sample-import.js';
import { serve, unchanged } from '../conformance/support/deployments.js';
import { shortWaits } from '../support/short-waits.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Starts an HTTP mock server that calls `onCreate` for each new ticket. */
async function listen(onCreate: (count: number) => void) {
  const mock = createMockServer({ baseUrl: 'http://worktrack.test' });
  let count = 0;
  const baseUrl = await serve(async (request) => {
    const response = await unchanged(mock)(request);
    if (request.method === 'POST' && response.status === 201) onCreate(++count);
    return response;
  });
  return { ...mock.clientOptions(), baseUrl };
}

it('an import that is killed and restarted creates every ticket exactly once', {
  timeout: 60_000,
}, async () => {
  const rows = 120;
  let running: ChildProcess | undefined;
  const kills = [30, 70];
  const options = await listen((count) => {
    // Kill the import between a ticket's creation and the response so that a retry might duplicate the
    // ticket.
    if (count >= (kills[0] ?? Infinity)) {
      kills.shift();
      running?.kill('SIGKILL');
    }
  });
  const client = new Worktrack(options);
  const project = await makeProject(client);
  const folder = await temporaryFolder();
  const file = join(folder, 'tickets.csv');
  const lines = Array.from({ length: rows }, (_, index) => `${csvField(`Ticket "${index}"`)},to-do`);
  await writeFile(file, ['title,board', ...lines].join('\r\n'));

  const run = () =>
    new Promise<{ code: number | null; output: string }>((resolve) => {
      running = spawn(process.execPath, [join(inject('programs'), 'import-csv.mjs'), file, project], {
        env: {
          ...process.env,
          ...shortWaits,
          WORKTRACK_BASE_URL: options.baseUrl,
          WORKTRACK_TOKEN: options.token,
          WORKTRACK_ORGANIZATION: options.organization,
        },
      });
      let output = '';
      for (const stream of [running.stdout, running.stderr]) stream?.on('data', (chunk) => (output += chunk));
      running.on('close', (code) => resolve({ code, output }));
    });

  const ends = [await run(), await run(), await run(), await run()];
  expect(
    ends.map(({ code }) => code),
    ends.map(({ output }) => output).join('\n'),
  ).toEqual([null, null, 0, 0]);
  expect(ends[3]?.output).toContain(`${rows} imported earlier`);
  const tickets = await client.tickets.list(project, { per_page: 200 }).toArray({ limit: 2 * rows });
  expect(tickets.map(({ title }) => title).sort()).toEqual(
    Array.from({ length: rows }, (_, index) => `Ticket "${index}"`).sort(),
  );
});

describe('parseCsv', () => {
  it.each([
    ['a,b\n1,2\n', [{ a: '1', b: '2' }]],
    ['a,b\r\n"x, ""y""\nz",\r\n', [{ a: 'x, "y"\nz', b: '' }]],
    ['\ufeffa\nß', [{ a: 'ß' }]],
    [
      'a,b\n,2\n\n3,',
      [
        { a: '', b: '2' },
        { a: '3', b: '' },
      ],
    ],
    ['a\n', []],
  ])('parses %j', (text, records) => {
    expect(parseCsv(text)).toEqual(records);
  });
});
