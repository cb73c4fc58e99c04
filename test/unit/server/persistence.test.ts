import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMockServer } from 'worktrack/mock-server';
import { listen } from 'worktrack/mock-server/node';
import { startMock, waitFor } from '../../cli/support/processes.js';
import { world } from './support/server.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'worktrack-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const headers = { authorization: 'Bearer wt_ci' };

describe('listen({ persist })', () => {
  const path = (name: string) => join(folder, name);

  test('restores the previous state after a restart', async () => {
    const persist = path('again.json');
    const first = await listen({ world, persist });
    await fetch(`${first.url}/api/v1/tickets/tkt_1`, { method: 'PATCH', headers, body: '{"title":"Kept"}' });
    await first.close();

    const second = await listen({ persist });
    const { data } = await (await fetch(`${second.url}/api/v1/tickets/tkt_1`, { headers })).json();
    await second.close();

    expect(data.title).toBe('Kept');
    expect((await readdir(folder)).filter((name) => name.includes('tmp'))).toEqual([]);
  });

  test('saves a change of the clock', async () => {
    const persist = path('clock.json');
    const first = await listen({ persist });
    const set = '2030-01-01T00:00:00.000Z';
    await fetch(`${first.url}/__admin/clock`, { method: 'POST', body: JSON.stringify({ set }) });
    const saved = JSON.parse(await readFile(persist, 'utf8'));
    first.mock.clock.advance(1000);
    await first.close();

    const second = await listen({ persist });
    const now = second.mock.clock.iso();
    await second.close();

    expect(saved.clock.frozen).toBe(Date.parse(set));
    expect(now).toBe('2030-01-01T00:00:01.000Z');
  });

  test("saves each write before responding and doesn't save after reads", async () => {
    const persist = path('before.json');
    const server = await listen({ world, persist });
    const titles = Array.from({ length: 25 }, (_, index) => `Title ${index}`);
    await Promise.all(
      titles.map((title) =>
        fetch(`${server.url}/api/v1/projects/prj_apollo/tickets`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ board_id: 'brd_todo', title }),
        }),
      ),
    );
    const text = await readFile(persist, 'utf8');
    expect(titles.filter((title) => !text.includes(`"${title}"`))).toEqual([]);

    await writeFile(persist, 'touched');
    await fetch(`${server.url}/api/v1/tickets/tkt_1`, { headers });
    expect(await readFile(persist, 'utf8')).toBe('touched');
    await server.close();
  });

  test("rejects with a one-line error if the file doesn't contain valid state", async () => {
    const persist = path('corrupt.json');
    await writeFile(persist, '{"format":"worktrack-st');

    await expect(listen({ persist })).rejects.toThrow(
      /^[^\n]+corrupt\.json doesn't contain valid state: [^\n]+$/,
    );
    await writeFile(persist, 'not\n\n  of\nthis\nserver\n');
    await expect(listen({ persist })).rejects.toThrow(
      /^[^\n]+corrupt\.json doesn't contain valid state: .+"not of [^\n]+$/,
    );
    await writeFile(persist, '{"format":"other"}');
    await expect(listen({ persist })).rejects.toThrow(
      /^[^\n]+corrupt\.json doesn't contain valid state: not an exported state$/,
    );
  });

  test.each([
    ['null', 'not an exported state'],
    ['false', 'not an exported state'],
    ['[]', 'not an exported state'],
    ['{"format":"worktrack-state","version":1}', 'state.clock is required'],
  ])('rejects a file that contains %s and leaves it unchanged', async (text, message) => {
    const persist = path('other.json');
    await writeFile(persist, text);

    await expect(listen({ persist })).rejects.toThrow(`${persist} doesn't contain valid state: ${message}`);
    expect(await readFile(persist, 'utf8')).toBe(text);
  });

  // For more rounds, run WORKTRACK_KILLS=50 npx vitest run test/unit/server/persistence.
  const kills = Number(process.env.WORKTRACK_KILLS ?? 4);

  test(
    `doesn't lose any confirmed writes when ${kills} processes are killed while writing`,
    async () => {
      const persist = path('killed.json');
      await writeFile(path('world.json'), JSON.stringify(world));
      let acknowledged = 0;
      for (let round = 0; round < kills; round += 1) {
        const { child, url } = await startMock('--seed', path('world.json'), '--persist', persist);
        const before = acknowledged;
        let sending = true;
        const load = (async () => {
          while (sending) {
            const body = JSON.stringify({ title: `Title ${acknowledged + 1}` });
            const response = await fetch(`${url}/api/v1/tickets/tkt_1`, {
              method: 'PATCH',
              headers,
              body,
            }).catch(() => undefined);
            if (response?.ok) acknowledged += 1;
            else sending = false;
          }
        })();
        const others = Array.from({ length: 4 }, async () => {
          while (sending) {
            await fetch(`${url}/api/v1/tickets/tkt_2/comments`, {
              method: 'POST',
              headers,
              body: '{"body_html":"x"}',
            }).catch(() => {});
          }
        });
        // Waiting for a confirmed write ensures that the kill happens mid-write, even on slow machines.
        await waitFor(() => acknowledged > before || !sending);
        await new Promise((resolve) => setTimeout(resolve, round * 7));
        child.kill('SIGKILL');
        await Promise.all([load, ...others, once(child, 'exit')]);

        const { state } = createMockServer({ state: JSON.parse(await readFile(persist, 'utf8')) });
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
