import { once } from 'node:events';
import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test, vi } from 'vitest';
import { type MockServer, SeedError } from 'worktrack/mock-server';
import { listen } from 'worktrack/mock-server/node';
import { startMock, waitFor } from '../../cli/support/processes.js';
import {
  captureErrors,
  send,
  serve,
  stateAfterCrash,
  stateFile,
  temporaryFolder,
  ticket,
} from './support/listening.js';
import { world } from './support/server.js';

describe('listen({ persist })', () => {
  test('saves changes to the clock', async () => {
    const persist = await stateFile();
    const first = await listen({ persist });
    const set = '2030-01-01T00:00:00.000Z';
    await send(first.url, 'POST', '/__admin/clock', { set });
    const saved = await stateAfterCrash(persist);
    first.mock.clock.advance(1000);
    await first.close();

    const second = await listen({ persist });
    const now = second.mock.clock.iso();
    await second.close();

    expect(saved.clock.frozen).toBe(Date.parse(set));
    expect(now).toBe('2030-01-01T00:00:01.000Z');
  });

  test("saves each write before responding, and doesn't write anything after a read", async () => {
    const persist = await stateFile();
    const server = await listen({ world, persist });
    const titles = Array.from({ length: 25 }, (_, index) => `Title ${index}`);
    await Promise.all(
      titles.map((title) =>
        send(server.url, 'POST', '/api/v1/projects/prj_apollo/tickets', { board_id: 'brd_todo', title }),
      ),
    );
    const saved = (await stateAfterCrash(persist)).tickets.map(({ title }) => title);
    expect(titles.filter((title) => !saved.includes(title))).toEqual([]);

    const log = await readFile(`${persist}-wal`);
    await send(server.url, 'GET', ticket);
    expect(await readFile(`${persist}-wal`)).toEqual(log);
    await server.close();
  });

  test('writes each change while the server runs, and the complete state when it closes', async () => {
    const persist = await stateFile();
    const server = await listen({ world, persist });
    const { mock } = server;
    const api = (method: string, url: string, body: object = {}) =>
      send(server.url, method, `/api/v1/${url}`, body);
    const changes: [string, () => unknown][] = [
      ['a new project', () => api('POST', 'organizations/org_acme/projects', { name: 'Hermes', key: 'HER' })],
      ['a new board', () => api('POST', 'projects/prj_apollo/boards', { name: 'Review' })],
      ['a board order', () => mock.add.board({ project: 'prj_apollo', id: 'brd_last', name: 'Last' })],
      ...Array.from({ length: 6 }, (_, index): [string, () => unknown] => [
        `new ticket ${index}`,
        () =>
          mock.add.ticket({ board: 'brd_todo', id: `tkt_new_${index}`, title: 'New', tags: [`${index}`] }),
      ]),
      ['a move', () => api('POST', 'tickets/tkt_new_4/move', { board_id: 'brd_todo', position: 1 })],
      ['a move to another board', () => api('POST', 'tickets/tkt_new_1/move', { board_id: 'brd_last' })],
      ['a deletion', () => api('DELETE', 'tickets/tkt_new_2')],
      [
        'a new order',
        () => {
          const ids = mock.state.tickets
            .filter(({ board_id }) => board_id === 'brd_todo')
            .map(({ id }) => id);
          return api('PUT', 'projects/prj_apollo/tickets/reorder', {
            board_id: 'brd_todo',
            ticket_ids: [ids[2], ids[0], ids[1], ...ids.slice(3).reverse()],
          });
        },
      ],
      ['a deleted board', () => api('DELETE', 'boards/brd_todo', { move_to_board_id: 'brd_last' })],
      ['a comment', () => api('POST', 'tickets/tkt_new_3/comments', { body_html: 'Done' })],
      ['a document', () => mock.add.document({ organization: 'org_acme', title: 'Notes', tags: ['draft'] })],
      ['a user', () => mock.add.user({ id: 'usr_new', name: 'New', organization: 'org_acme' })],
      ['a notification', () => mock.add.notification({ user: 'usr_new' })],
      ['a credential', () => mock.credentials.add({ organization: 'org_acme', token: 'wt_second' })],
      ['a revoked credential', () => mock.credentials.revoke('wt_second')],
      ['a deleted project', () => api('DELETE', 'projects/prj_apollo')],
      ['other seed data', () => mock.load(world)],
    ];
    for (const [name, change] of changes) {
      const { revision } = mock;
      await change();
      expect(mock.revision, name).not.toBe(revision);
      // A change made outside a request is saved with the next request.
      await send(server.url, 'POST', '/__admin/clock', { advance: 1 });
      expect(inOrder(await stateAfterCrash(persist)), name).toEqual(inOrder(mock.export()));
    }
    await server.close();
    expect(inOrder(await stateAfterCrash(persist))).toEqual(inOrder(mock.export()));
  });

  test('keeps the order of tickets that are moved between the same neighbors many times', async () => {
    const persist = await stateFile();
    const server = await listen({ world, persist });
    const { mock } = server;
    for (let index = 0; index < 4; index += 1)
      mock.add.ticket({ board: 'brd_todo', id: `tkt_n${index}`, title: 'New' });
    for (let count = 0; count < 70; count += 1) {
      const body = { board_id: 'brd_todo', position: 1 };
      await send(server.url, 'POST', `/api/v1/tickets/tkt_n${count % 4}/move`, body);
    }
    for (let count = 0; count < 70; count += 1) {
      const body = { board_id: 'brd_todo', position: 0 };
      await send(server.url, 'POST', `/api/v1/tickets/tkt_n${count % 4}/move`, body);
    }

    expect(inOrder(await stateAfterCrash(persist))).toEqual(inOrder(mock.export()));
    await server.close();
  });

  test.each(['null', '{"format":"worktrack-state","version":1}', 'x'])(
    'rejects a file that contains %j, and leaves it unchanged',
    async (text) => {
      const persist = await stateFile();
      await writeFile(persist, text);

      await expect(listen({ persist })).rejects.toThrow(
        new Error(`${persist} isn't a state file of the mock server; choose another path`),
      );
      expect(await readFile(persist, 'utf8')).toBe(text);
    },
  );

  test.each([
    ["UPDATE state SET row = 'not JSON' WHERE list = 'users'", 'not JSON'],
    ["DELETE FROM state WHERE key = 'clock'", 'state.clock is required'],
    ["DELETE FROM state WHERE list = 'organizations'", ''],
  ])('rejects a file after %j with a one-line error', async (statement, problem) => {
    const persist = await stateFile();
    await (await listen({ world, persist })).close();
    const database = new DatabaseSync(persist);
    database.exec(statement);
    database.close();

    const error = await listen({ persist }).catch((reason: Error) => reason);
    const { message } = error as Error;
    expect(message).toMatch(
      /^\S+state\.db is damaged: .+; replace it with a backup, or delete it to start over$/,
    );
    expect(message).toContain(problem);
  });

  test('prevents a second server from using the file, even through a symbolic link', async () => {
    const persist = await stateFile();
    const first = await serve({ persist });
    await symlink(persist, `${persist}.link`);

    for (const name of [persist, `${persist}.link`]) {
      await expect(listen({ persist: name })).rejects.toThrow(`${name} is in use by another process`);
    }
    await first.close();
    await (await listen({ persist: `${persist}.link` })).close();
  });

  test('lets only one server use the file if several servers start concurrently', async () => {
    const persist = await stateFile();
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => listen({ world, persist })));
    const started = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    await Promise.all(started.map((server) => server.close()));

    expect(started).toHaveLength(1);
  });

  test('creates a file that only its owner can read and write', async () => {
    const persist = await stateFile();
    const server = await serve({ persist });
    const files = await readdir(join(persist, '..'));
    const modes = await Promise.all(
      files.map(async (name) => (await stat(join(persist, '..', name))).mode & 0o777),
    );

    expect(files).toEqual(['state.db', 'state.db-wal']);
    expect(new Set(modes)).toEqual(new Set([process.platform === 'win32' ? 0o666 : 0o600]));
    await server.close();
    expect(await readdir(join(persist, '..'))).toEqual(['state.db']);
  });

  test('saves the changes made by a request whose response is lost', async () => {
    const persist = await stateFile();
    const server = await serve({ persist });
    server.mock.faults.add({ error: 'response_lost' });

    await expect(send(server.url, 'DELETE', ticket)).rejects.toThrow(TypeError);

    const { tickets } = await stateAfterCrash(persist);
    expect(tickets.filter(({ deleted_at }) => deleted_at === null).map(({ id }) => id)).toEqual(['tkt_2']);
  });

  test("responds to reads while the file can't be written, and saves everything with the next write", async () => {
    const persist = await stateFile();
    const server = await serve({ persist });
    const printed = captureErrors();
    const exec = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(() => {
      throw Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 });
    });

    const writing = send(server.url, 'PATCH', ticket, { title: 'First' });
    const reading = send(server.url, 'GET', ticket);
    const problem = `${persist} can't be written: database or disk is full`;
    expect(await writing).toMatchObject({ status: 500, json: { message: expect.stringContaining(problem) } });
    expect((await reading).status).toBe(200);
    expect(printed.mock.calls).toEqual([['[worktrack]', expect.objectContaining({ message: problem })]]);
    server.mock.faults.add({ error: 'response_lost', times: 1 });
    await expect(send(server.url, 'PATCH', ticket, { title: 'Second' })).rejects.toThrow(TypeError);
    exec.mockRestore();
    await send(server.url, 'PATCH', '/api/v1/tickets/tkt_2', { title: 'Third' });

    const titles = (await stateAfterCrash(persist)).tickets.map(({ title }) => title);
    expect(titles.toSorted()).toEqual(['Second', 'Third']);
  });

  test("saves changes on close even if they weren't made by a request", async () => {
    const persist = await stateFile();
    const server = await listen({ world, persist });
    server.mock.add.ticket({ board: 'brd_todo', title: 'Added' });
    await server.close();

    expect((await stateAfterCrash(persist)).tickets.map(({ title }) => title)).toContain('Added');
  });

  test("rejects invalid seed data with a SeedError and doesn't leave any files behind", async () => {
    const path = await temporaryFolder();
    const invalid = { organizations: [{ nam: 'x' }] } as never;

    const failed = listen({ world: invalid, persist: join(path, 'state.db') });

    await expect(failed).rejects.toThrow(SeedError);
    await expect(failed).rejects.toThrow(/^organizations\[0\]\.name: is required/);
    expect(await readdir(path)).toEqual([]);
  });

  test('reports an invalid option without mentioning the state file', async () => {
    const persist = await stateFile();
    await (await listen({ world, persist })).close();

    await expect(listen({ persist, faults: [{ status: 1 }] })).rejects.toMatchObject({
      name: 'TypeError',
      message: 'faults: option "status" must be an integer from 200 to 599 (got 1)',
    });
  });

  // For more rounds, run WORKTRACK_KILLS=50 npx vitest run test/unit/server/persistence.
  const kills = Number(process.env.WORKTRACK_KILLS ?? 2);

  test(
    `doesn't lose any confirmed write when ${kills} processes are killed while writing`,
    async () => {
      const persist = await stateFile();
      const seed = `${persist}.seed`;
      await writeFile(seed, JSON.stringify(world));
      let acknowledged = 0;
      for (let round = 0; round < kills; round += 1) {
        const { child, url } = await startMock('--seed', seed, '--persist', persist);
        const before = acknowledged;
        let sending = true;
        const load = (async () => {
          while (sending) {
            const title = `Title ${acknowledged + 1}`;
            const response = await send(url, 'PATCH', ticket, { title }).catch(() => undefined);
            if (response?.status === 200) acknowledged += 1;
            else sending = false;
          }
        })();
        const others = Array.from({ length: 4 }, async () => {
          while (sending) {
            const comment = { body_html: 'x' };
            await send(url, 'POST', '/api/v1/tickets/tkt_2/comments', comment).catch(() => {});
          }
        });
        // Wait for a confirmed write so that the process is killed during a write, even on a slow machine.
        await waitFor(() => acknowledged > before || !sending);
        await new Promise((resolve) => setTimeout(resolve, round * 7));
        child.kill('SIGKILL');
        await Promise.all([load, ...others, once(child, 'exit')]);

        const { tickets } = await stateAfterCrash(persist);
        const { title = '' } = tickets.find(({ id }) => id === 'tkt_1') ?? {};
        const written = Number(title.replace('Title ', '').replace('Launch', '0'));
        expect([acknowledged, acknowledged + 1]).toContain(written);
        acknowledged = written;
      }
      expect(acknowledged).toBeGreaterThan(0);
    },
    20_000 + kills * 5000,
  );
});

/** Sorts the rows by ID, except for the live tickets, whose order on each board matters. */
function inOrder(state: ReturnType<MockServer['export']>) {
  const rows = Object.entries(state).map(([list, value]) => [
    list,
    Array.isArray(value) ? value.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)) : value,
  ]);
  const order = state.boards.map(({ id }) => [
    id,
    state.tickets.flatMap((row) => (row.deleted_at === null && row.board_id === id ? row.id : [])),
  ]);
  return { ...Object.fromEntries(rows), order: Object.fromEntries(order) };
}

const nameOf = (row: { id?: string; key?: string }) => row.id ?? row.key ?? '';
