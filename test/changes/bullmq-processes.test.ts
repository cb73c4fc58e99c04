import { setTimeout as sleep } from 'node:timers/promises';
import type { Queue } from 'bullmq';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Worktrack } from 'worktrack';
import type { Change } from 'worktrack/jobs';
import { listen } from 'worktrack/mock-server/node';
import { openBackend } from '../../addons/jobs/bullmq/connection.js';
import { keepRunning } from '../deployment/support/processes.js';
import { queueName, reachable, startBackend } from '../import/backends.js';
import { isLong } from '../properties/runs.js';
import type { ProcessOptions } from './support/change-process.js';

/** Applies changes to a ticket's initial state, and fails if a change doesn't start from the current state. */
function replay(
  changes: readonly Change[],
  ticket: string,
  known: Record<string, unknown> = { title: 'Untitled' },
) {
  for (const { recordId, before, after, fields } of changes) {
    if (recordId !== ticket) continue;
    expect(before).toMatchObject(known);
    for (const field of fields) known[field] = after?.[field as never];
  }
  return known;
}

describe.each(isLong ? (['redis', 'postgres'] as const) : (['redis'] as const))(
  'enqueueChanges on %s',
  { timeout: 180_000 },
  (name) => {
    test.skipIf(!reachable[name])(
      'adds exactly one job per change even if processes are killed or suspended',
      async () => {
        const server = await listen({ now: 'real' });
        onTestFinished(() => server.close());
        const { mock } = server;
        const project = mock.add.project();
        const boards = [0, 1].map(() => mock.add.board({ project: project.id }).id);
        const tickets = Array.from(
          { length: 20 },
          () => mock.add.ticket({ board: boards[0] as string, title: 'Untitled' }).id,
        );
        const clientOptions = { ...mock.clientOptions(), baseUrl: server.url };
        const client = new Worktrack({ ...clientOptions, fetch: mock.fetch });
        const { options } = await startBackend(name);
        const queue = { name: queueName(), ...options };
        const { openQueue, closeQueues } = await openBackend(options);
        const jobs = await openQueue<Change>(queue.name);
        onTestFinished(async () => {
          for (const opened of [jobs, await openQueue(`${queue.name}-sweeps`)] as Queue[]) {
            await opened.obliterate({ force: true });
          }
          await closeQueues();
        });
        const process: ProcessOptions = {
          client: clientOptions,
          project: project.id,
          queue,
          every: 30,
          stalledAfter: 300,
        };
        const processes = keepRunning(3, process, 'change-process');
        const requests = () => mock.requests.for('tickets.list').length;
        const sweeps = async (count: number) => {
          const before = requests();
          await vi.waitFor(() => expect(requests()).toBeGreaterThan(before + count), { timeout: 60_000 });
        };
        // Once the change feed finds a later change to another ticket, it has also stored the current state of
        // these tickets.
        const other = mock.add.ticket({ board: boards[0] as string });
        await vi.waitFor(
          async () => {
            await client.tickets.update(other.id, { title: `At ${performance.now()}` });
            expect(await jobs.getWaitingCount()).toBeGreaterThan(0);
          },
          { timeout: 60_000 },
        );

        for (let write = 0; write < (isLong ? 4000 : 100); write++) {
          const ticket = tickets[write % tickets.length] as string;
          if (write % 3 === 0)
            await client.tickets.move(ticket, { board_id: boards[(write / 3) % 2] as string });
          else await client.tickets.update(ticket, { title: `Version ${write}` });
          const victim = processes.pick(Math.random());
          if (write % 20 === 10) victim?.kill('SIGKILL');
          if (write % 20 === 15) {
            victim?.kill('SIGSTOP');
            setTimeout(() => victim?.kill('SIGCONT'), 500);
          }
          await sleep(10);
        }
        await sweeps(6);

        const added = (await jobs.getJobs(['waiting'], 0, -1, true)).map(({ data }) => data);
        expect(added.length).toBeGreaterThan(10);
        for (const id of tickets) expect(await client.tickets.get(id)).toMatchObject(replay(added, id));
      },
    );
  },
);
