import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import type { DeploymentRequest } from '../deployment/support/deployment.js';
import { exactlyOnce, failSome, setUpImport, source } from '../deployment/support/import-setting.js';
import { credential } from '../deployment/support/records.js';
import { generator, manyRows, type Row } from '../deployment/support/rows.js';
import { startProxy } from './support/proxy.js';
import type { QueueProcessOptions } from './support/queue-process.js';
import { backends, newPlace, openQueue, whySkipped } from './support/queues.js';
import { postgresAddress, redisAddress } from './support/services.js';

const isLong = process.env.WORKTRACK_TEST_LONG === '1';
const size = isLong ? { rows: 20_000, kills: 30, backoff: 15_000 } : { rows: 120, kills: 2, backoff: 1000 };
const key = ({ id }: Row) => id;

/** Keeps `count` worker processes running by replacing those that exit. */
function keepRunning(count: number, options: QueueProcessOptions) {
  const children = new Set<ChildProcess>();
  let isFinished = false;
  const run = async () => {
    while (!isFinished) {
      const child = fork(join(inject('programs'), 'queue-process.mjs'), [JSON.stringify(options)], {
        execArgv: [],
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      children.add(child);
      await once(child, 'exit');
      children.delete(child);
    }
  };
  const running = Array.from({ length: count }, run);
  onTestFinished(async () => {
    isFinished = true;
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(running);
  });
  return { pick: (choice: number) => [...children][Math.floor(choice * children.size)] };
}

/**
 * Adds old tickets with the content of the rows, lets requests fail, and lets people move and delete tickets during
 * the import.
 */
function makeHostile({
  deployment,
  records,
  project,
  board,
  toTicket,
}: Awaited<ReturnType<typeof setUpImport>>) {
  // Older tickets with the same content, some of them created with the same credential.
  for (const row of manyRows(size.rows / 10)) {
    deployment.addTicketByHand(project, toTicket(row));
    records.addTicket(project, toTicket(row), credential);
  }
  const old = [...records.tickets.keys()];
  const random = generator(6);
  const fail = failSome(8, 0.1, 100);
  deployment.intercept = async (request: DeploymentRequest) => {
    await sleep(random() * 3);
    if (request.operation === 'tickets.create') return fail(request);
    const tickets = records.onBoard(board);
    const moved = tickets[Math.floor(random() * tickets.length)];
    if (moved) records.moveTicket(moved.id, board, Math.floor(random() * tickets.length));
    const [deleted] = random() < 0.1 ? old.splice(Math.floor(random() * old.length), 1) : [];
    if (deleted) records.deleteTicket(deleted);
    return random() < 0.03 ? { processed: false, status: 503 } : undefined;
  };
}

describe.for(backends)('import workers on %s', (name) => {
  const test = it.skipIf(whySkipped(name) !== undefined);

  test('create each row once despite SIGKILLs, lost connections, lost responses, and people editing', {
    timeout: isLong ? 1_800_000 : 120_000,
  }, async () => {
    const setting = await setUpImport();
    const { deployment, project, board, outcome, client } = setting;
    const random = generator(7);
    makeHostile(setting);
    const place = newPlace(name);
    const queue = openQueue(place, { attempts: 50, backoff: { type: 'fixed', delay: size.backoff } });
    await queue.add(manyRows(size.rows), { key });
    const proxy = await startProxy(name === 'redis' ? redisAddress : postgresAddress);
    const throughProxy = { ...newPlace(name, proxy.port), name: place.name };
    const options = { client: deployment.client, project, board, source, place: throughProxy };
    const workers = keepRunning(4, { ...options, lockDuration: 3000, concurrency: 4 });
    // Kills depend on the progress, because a fast machine could finish before the last kill otherwise.
    const killAfter = Array.from({ length: size.kills }, () => random() * 0.8 * size.rows);
    killAfter.sort((one, other) => one - other);
    let killed = 0;
    for (;;) {
      const { completed, failed } = await queue.counts();
      if (completed + failed >= size.rows) break;
      if (completed >= (killAfter[killed] ?? size.rows) && workers.pick(random())?.kill('SIGKILL')) {
        killed++;
        // The other workers lose their connections to the queue, possibly in the middle of a command.
        if (killed % 2 === 0) proxy.cut();
      }
      await sleep(isLong ? 300 : 20);
    }
    expect(killed).toBe(size.kills);
    expect(await queue.counts()).toEqual({ completed: size.rows, failed: 0 });
    expect(outcome(manyRows(size.rows))).toEqual(exactlyOnce);
    deployment.intercept = async () => undefined;
    expect(await queue.findDuplicates({ client, source, kind: 'ticket', project })).toEqual([]);
  });

  test('report the second record if a worker was suspended for longer than its lock', {
    timeout: 60_000,
  }, async () => {
    const { deployment, records, project, board, client, outcome } = await setUpImport();
    const place = newPlace(name);
    const queue = openQueue(place, { attempts: 50, backoff: { type: 'fixed', delay: 100 } });
    const options = { client: deployment.client, project, board, source, place };
    const suspended = keepRunning(1, { ...options, lockDuration: 1000, concurrency: 1 });
    // The worker is suspended while its first request is in flight, which the deployment processes much later.
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    deployment.intercept = async ({ operation, count }) => {
      if (operation !== 'tickets.create' || count > 1) return undefined;
      suspended.pick(0)?.kill('SIGSTOP');
      await released;
      return undefined;
    };
    const rows = [...manyRows(10)];
    await queue.add(rows, { key });
    await expect.poll(() => deployment.requests('tickets.create')).toBeGreaterThan(0);
    keepRunning(1, { ...options, lockDuration: 1000, concurrency: 1 });
    await expect.poll(queue.counts, { timeout: 30_000 }).toEqual({ completed: 10, failed: 0 });
    expect(outcome(rows)).toEqual(exactlyOnce);
    release();
    suspended.pick(0)?.kill('SIGCONT');
    await expect.poll(() => outcome(rows)).toEqual({ lost: 0, doubled: 1 });
    const [duplicate, ...others] = await queue.findDuplicates({ client, source, kind: 'ticket', project });
    expect(others).toEqual([]);
    const results = await queue.bullmq.getCompleted();
    const ids = results.map(({ returnvalue }) => returnvalue.id);
    expect(ids).toContain(duplicate?.keep);
    expect(duplicate?.extra).toHaveLength(1);
    records.deleteTicket(`${duplicate?.extra[0]}`);
    expect(outcome(rows)).toEqual(exactlyOnce);
  });
});
