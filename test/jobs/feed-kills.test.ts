import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { Worktrack } from 'worktrack';
import { readChanges, sqliteBook } from 'worktrack/jobs';
import { listen } from 'worktrack/mock-server/node';
import { Random } from '../../mock-server/state/ids.js';
import { isLong } from '../properties/runs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import type { ProcessOptions } from './support/feed-process.js';

/** A change that a process has printed. */
interface Line {
  id: string;
  type: string;
  recordId: string;
  before: Record<string, unknown> | null;
  values: Record<string, unknown>;
}

const kills = isLong ? 60 : 8;

/** A server with a project, and a book that already contains the project's tickets. */
async function start() {
  const server = await listen({ now: 'real' });
  onTestFinished(() => server.close());
  const { mock } = server;
  const project = mock.add.project().id;
  const boards = [0, 1].map(() => mock.add.board({ project }).id) as [string, string];
  const tickets = Array.from({ length: 30 }, () => mock.add.ticket({ board: boards[0], title: 'T' }).id);
  const client = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });
  const path = join(await temporaryFolder(), 'feed.db');
  const book = sqliteBook(path);
  await readChanges({ client, project, include: ['ticket'], book });
  await book.close();
  const options: ProcessOptions = { client: server.clientOptions() as never, project, path };
  return { project, boards, tickets, client, options };
}

/** Starts a process that watches the project, and collects the changes that it prints. */
function startProcess(options: ProcessOptions, lines: Line[]) {
  const program = join(inject('programs'), 'feed-process.mjs');
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  createInterface({ input: child.stdout }).on('line', (line) => {
    // A process that is killed while it writes a line hasn't delivered the change.
    if (line.endsWith('}}')) lines.push(JSON.parse(line));
  });
  return async function kill() {
    child.kill('SIGKILL');
    await once(child, 'close');
  };
}

/** Applies the changes to the tickets as they were at first. Fails if a change contradicts the ones before it. */
function replay(tickets: readonly string[], board: string, changes: readonly Line[]) {
  const known = new Map<string, Record<string, unknown>>(
    tickets.map((id) => [id, { board_id: board, title: 'T', archived_at: null }]),
  );
  for (const { type, recordId, before, values } of changes) {
    const ticket = known.get(recordId);
    if (type === 'ticket.created') {
      expect(ticket).toBeUndefined();
      known.set(recordId, values);
    } else if (type === 'ticket.deleted') {
      expect(known.delete(recordId)).toBe(true);
    } else {
      expect(before).toMatchObject(ticket as object);
      known.set(recordId, { ...ticket, ...values });
    }
  }
  return known;
}

test('watchChanges delivers each change at least once although its process is killed', async () => {
  const { project, boards, tickets, client, options } = await start();
  const lines: Line[] = [];
  const random = new Random(1);
  const pick = (count: number) => Math.floor(random.next() * count);
  const live = [...tickets];
  const changeSome = async (round: number) => {
    live.push((await client.tickets.create(project, { board_id: boards[0], title: 'New' })).id);
    const [gone] = live.splice(pick(live.length), 1);
    await client.tickets.delete(gone as string);
    for (let write = 0; write < 10; write++) {
      const id = live[pick(live.length)] as string;
      if (write % 3 === 0) await client.tickets.move(id, { board_id: boards[pick(2)] as string });
      else await client.tickets.update(id, { title: `T ${round} ${write}`, archived: pick(2) === 0 });
    }
  };
  for (let round = 0; round < kills; round++) {
    const kill = startProcess(options, lines);
    const before = lines.length;
    await changeSome(round);
    await vi.waitFor(() => expect(lines.length).toBeGreaterThan(before), { timeout: 60_000 });
    await sleep(pick(20));
    await kill();
  }
  const kill = startProcess(options, lines);
  const expected = await Promise.all(live.sort().map((id) => client.tickets.get(id)));
  // A change that was in flight when its process was killed comes again with the same ID.
  const changes = () => lines.filter(({ id }, index) => lines.findIndex((line) => line.id === id) === index);
  await vi.waitFor(
    () => {
      const known = replay(tickets, boards[0], changes());
      expect([...known.keys()].sort()).toEqual(live);
      for (const ticket of expected) expect(ticket).toMatchObject(known.get(ticket.id) as object);
    },
    { timeout: 60_000, interval: 200 },
  );
  await kill();
  expect(lines.length - changes().length).toBeLessThanOrEqual(kills);
}, 300_000);
