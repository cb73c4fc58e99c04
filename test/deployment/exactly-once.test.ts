import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  isLong,
  postgresAddress,
  queueName,
  reachable,
  redisAddress,
  startBackend,
} from '../import/backends.js';
import { startProxy } from '../import/proxy.js';
import { openQueue } from '../import/set-up-import.js';
import type { DeploymentRequest, Failure } from './support/deployment.js';
import { keepRunning } from './support/processes.js';
import { credential } from './support/records.js';
import { generator, manyRows, type Row } from './support/rows.js';
import { exactlyOnce, lost, reset, setUp } from './support/set-up.js';

const size = isLong
  ? { rows: 20_000, kills: 30, timeout: 1_800_000 }
  : { rows: 80, kills: 2, timeout: 120_000 };
// This test uses only Redis unless there is time for both databases, because the other BullMQ tests use
// Postgres.
const backends = isLong ? (['redis', 'postgres'] as const) : (['redis'] as const);

/**
 * Starts a deployment that loses its first responses and many later ones. It contains records with the same
 * content as the rows, created with the same credential or by a colleague. While the import searches for its
 * records, a colleague moves tickets and deletes old ones.
 */
async function setUpHostileDeployment(rows: number) {
  const setting = await setUp();
  const { deployment, records, project, board, toTicket } = setting;
  deployment.settings.clockOffset = -365 * 86_400_000;
  for (const row of manyRows(rows / 4)) {
    deployment.addTicketByHand(project, toTicket(row));
    records.addTicket(project, toTicket(row), credential);
  }
  deployment.settings.clockOffset = 0;
  setting.keepOld();
  const old = [...records.tickets.keys()];
  const random = generator(4);

  const failFirst = (count: number): Failure | undefined =>
    [lost, reset, { processed: false, status: 500 }, { processed: true, status: 502 }][count - 1];
  const failSome = (): Failure | undefined => {
    const choice = random();
    if (choice < 0.03) return lost;
    if (choice < 0.06) return reset;
    if (choice < 0.07) return { processed: true, status: 502 };
    if (choice < 0.1) return { processed: false, status: 503 };
    return choice < 0.12 ? { processed: false, status: 429 } : undefined;
  };
  const change = () => {
    const tickets = records.onBoard(board);
    const moved = tickets[Math.floor(random() * tickets.length)];
    if (moved) records.moveTicket(moved.id, board, Math.floor(random() * tickets.length));
    const [deleted] = random() < 0.1 ? old.splice(Math.floor(random() * old.length), 1) : [];
    if (deleted) records.deleteTicket(deleted);
  };

  deployment.intercept = async ({ operation, count }: DeploymentRequest) => {
    await sleep(random() * 3);
    if (operation === 'tickets.create') return failFirst(count) ?? failSome();
    change();
    return random() < 0.03 ? { processed: false, status: 503 } : undefined;
  };
  return { ...setting, process: { client: deployment.client, project, board } };
}

describe('an import into an unreliable deployment', { timeout: size.timeout }, () => {
  it.for(backends)(
    'creates every row exactly once with four BullMQ workers on %s despite random kills and lost connections',
    async (name, { skip }) => {
      skip(!reachable[name], `${name} is not available on this machine`);
      const { process, outcome } = await setUpHostileDeployment(size.rows);
      const { options } = await startBackend(name);
      const queue = await openQueue<Row>({ name: queueName(), ...options });
      await queue.add(manyRows(size.rows), { key: ({ id }) => id });
      const random = generator(3);
      const proxy = await startProxy(name === 'redis' ? redisAddress : postgresAddress);
      const place = { [name]: { ...(options[name] as object), port: proxy.port } };
      const connection = { name: queue.bullmq.name, ...place };
      const workers = keepRunning(4, { ...process, queue: connection, concurrency: 4 });
      // Kill workers based on progress, not time: on a fast machine, the import might finish before the last
      // kill.
      const killAfter = Array.from({ length: size.kills }, () => random() * 0.7 * size.rows);
      killAfter.sort((a, b) => a - b);
      let killed = 0;
      for (;;) {
        const { done, failed } = await queue.counts();
        if (done + failed >= size.rows) break;
        if (done > (killAfter[killed] ?? size.rows) && workers.pick(random())?.kill('SIGKILL')) {
          killed++;
          // The other workers lose their connections to the queue, possibly in the middle of a command.
          if (killed % 2 === 0) proxy.cut();
        }
        await sleep(isLong ? 500 : 20);
      }
      await workers.end();
      expect(killed).toBe(size.kills);
      expect(await outcome(manyRows(size.rows), queue.ledger)).toEqual(exactlyOnce);
    },
  );
});
