import { once } from 'node:events';
import { readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { createMockServer, type MockServer, type StateDump } from 'worktrack/mock-server';
import { listen } from 'worktrack/mock-server/node';
import { readState } from '../../../mock-server/node/persistence.js';
import { startMock, waitFor } from '../../cli/support/processes.js';
import { send, stateFile, ticket } from './support/listening.js';
import { world } from './support/server.js';

describe('listen({ persist })', () => {
  test('saves changes to the clock', async () => {
    const persist = await stateFile();
    const first = await listen({ persist });
    const set = '2030-01-01T00:00:00.000Z';
    await send(first.url, 'POST', '/__admin/clock', { set });
    const saved = await readState(persist);
    first.mock.clock.advance(1000);
    await first.close();

    const second = await listen({ persist });
    const now = second.mock.clock.iso();
    await second.close();

    expect(saved?.clock.frozen).toBe(Date.parse(set));
    expect(now).toBe('2030-01-01T00:00:01.000Z');
  });

  test("saves each write before responding, and doesn't save anything after a read", async () => {
    const persist = await stateFile();
    const server = await listen({ world, persist });
    const titles = Array.from({ length: 25 }, (_, index) => `Title ${index}`);
    await Promise.all(
      titles.map((title) =>
        send(server.url, 'POST', '/api/v1/projects/prj_apollo/tickets', { board_id: 'brd_todo', title }),
      ),
    );
    const text = await readFile(persist, 'utf8');
    expect(titles.filter((title) => !text.includes(`"${title}"`))).toEqual([]);

    await writeFile(persist, 'touched');
    await send(server.url, 'GET', ticket);
    expect(await readFile(persist, 'utf8')).toBe('touched');
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
      expect(inOrder(await readState(persist)), name).toEqual(inOrder(mock.export()));
    }
    await server.close();
    expect(inOrder(JSON.parse(await readFile(persist, 'utf8')))).toEqual(inOrder(mock.export()));
  });

  test('loads a file without its last change if that change is incomplete', async () => {
    const persist = await stateFile();
    const server = await listen({ world, persist });
    await send(server.url, 'PATCH', ticket, { title: 'Kept' });
    const { size } = await stat(persist);
    await send(server.url, 'PATCH', ticket, { title: 'Lost' });
    const text = await readFile(persist, 'utf8');
    await server.close();

    for (const length of [size, size + 1, Buffer.byteLength(text) - 1]) {
      await writeFile(persist, text);
      await truncate(persist, length);
      expect((await readState(persist))?.tickets.map(({ title }) => title)).toContain('Kept');
    }
  });

  test('reports the line number of an invalid change in the file', async () => {
    const persist = await stateFile();
    const server = await listen({ world, persist });
    for (const title of ['First', 'Second']) await send(server.url, 'PATCH', ticket, { title });
    const [state, first = '', second] = (await readFile(persist, 'utf8')).split('\n');
    await server.close();

    const damaged = ['', 'null', '{}', '{"x":1}', first.slice(0, -10), `${first}${first}`];
    const lists = [{ tickets: 5 }, { tickets: [null] }, { users: 'ada' }, { clock: null }];
    const changed = lists.map((list) => JSON.stringify({ ...JSON.parse(first), ...list }));
    for (const line of [...damaged, ...changed]) {
      await writeFile(persist, `${state}\n${line}\n${second}\n`);
      await expect(listen({ persist }), line).rejects.toThrow(
        `${persist} doesn't contain valid state: line 2 is damaged`,
      );
    }
  });

  test('rewrites the file if it contains many changes or another program has changed it', async () => {
    const persist = await stateFile();
    const server = await listen({ world, persist });
    const describeTicket = (description_html: string) =>
      send(server.url, 'PATCH', ticket, { description_html });
    const state = (await stat(persist)).size;
    const sizes = [];
    for (let count = 0; count < 25; count += 1) {
      await describeTicket(String.fromCharCode(97 + (count % 20)).repeat(100_000));
      sizes.push((await stat(persist)).size);
    }
    expect(Math.max(...sizes)).toBeLessThan(2 * (state + 100_000) + 2 ** 20);
    expect(Math.max(...sizes)).toBeGreaterThan(2 ** 20);

    await writeFile(persist, 'edited');
    await describeTicket('Last');
    const saved = await readState(persist);
    await server.close();
    expect(saved?.tickets.find(({ id }) => id === 'tkt_1')?.description_html).toBe('Last');
  });

  test.each([
    ['null', 'not an exported state'],
    ['false', 'not an exported state'],
    ['[]', 'not an exported state'],
    ['{"format":"worktrack-state","version":1}', 'state.clock is required'],
    ['{"format":"worktrack-st', ''],
    // The message contains the text in one line.
    ['not\n\n  of\nthis\nserver\n', '"not of '],
  ])(
    'rejects a file that contains %j with a one-line error, and leaves it unchanged',
    async (text, message) => {
      const persist = await stateFile();
      await writeFile(persist, text);

      const error = await listen({ persist }).catch((reason: Error) => reason);
      expect(error).toMatchObject({ message: expect.stringContaining(message) });
      const [line, ...others] = (error as Error).message.split('\n');
      expect([line?.startsWith(`${persist} doesn't contain valid state: `), others]).toEqual([true, []]);
      expect(await readFile(persist, 'utf8')).toBe(text);
    },
  );

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

        const { state } = createMockServer({ state: (await readState(persist)) as StateDump });
        const written = Number(
          state.tickets.get('tkt_1')?.title.replace('Title ', '').replace('Launch', '0'),
        );
        expect([acknowledged, acknowledged + 1]).toContain(written);
        acknowledged = written;
      }
      expect(acknowledged).toBeGreaterThan(0);
    },
    20_000 + kills * 5000,
  );
});

/** Sorts the rows by ID, except for the live tickets, whose order on each board matters. */
function inOrder(state: ReturnType<MockServer['export']> | undefined) {
  const rows = Object.entries(state ?? {}).map(([list, value]) => [
    list,
    Array.isArray(value) ? value.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)) : value,
  ]);
  const order = state?.boards.map(({ id }) =>
    state.tickets.flatMap((row) => (row.deleted_at === null && row.board_id === id ? row.id : [])),
  );
  return { ...Object.fromEntries(rows), order };
}

const nameOf = (row: { id?: string; key?: string }) => row.id ?? row.key ?? '';
