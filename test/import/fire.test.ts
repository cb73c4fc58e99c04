import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import type { ImportReport } from 'worktrack/import';
import { createImportQueue } from 'worktrack/import/bullmq';
import { listen } from 'worktrack/mock-server/node';
import { queueName, reachable, startBackend } from './backends.js';
import { type FireOptions, type FireRow, fireRows } from './fire-options.js';

// `npm run test:long` sets WORKTRACK_TEST_LONG=1 so that these tests use more rows.
const isLong = process.env.WORKTRACK_TEST_LONG === '1';
const size = isLong
  ? { rows: 20_000, ordered: 4000, redis: 20_000, postgres: 5000, kills: 30, timeout: 1_800_000 }
  : { rows: 250, ordered: 60, redis: 120, postgres: 120, kills: 2, timeout: 120_000 };

/** Returns a seeded generator of pseudo-random numbers from 0 to 1. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Starts a server that loses responses, closes connections, returns errors, and rate-limits requests. */
async function startServer() {
  const server = await listen({ now: 'real', seed: 'fire' });
  onTestFinished(() => server.close());
  const { mock } = server;
  const project = mock.add.project();
  const board = mock.add.board({ project: project.id });
  const operation = 'tickets.create';
  mock.faults.add({ operation, error: 'response_lost', probability: 0.03 });
  mock.faults.add({ operation, error: 'truncated', probability: 0.01 });
  mock.faults.add({ operation, error: 'connection', probability: 0.03 });
  mock.faults.add({ operation, status: 503, probability: 0.03 });
  mock.faults.add({ operation, status: 429, probability: 0.02 });
  mock.faults.add({ operation: 'tickets.list', status: 503, probability: 0.03 });
  mock.faults.add({ latency: isLong ? [0, 3] : [0, 8] });
  const { baseUrl, token, organization } = mock.clientOptions();
  const options = { client: { baseUrl, token, organization }, project: project.id, board: board.id };
  const titles = () =>
    mock.state.tickets
      .filter((ticket) => ticket.board_id === board.id)
      .sort((one, other) => one.position - other.position)
      .map(({ title }) => title);
  return { options, titles };
}

function start(options: FireOptions): ChildProcess {
  return fork(join(inject('programs'), 'fire-process.mjs'), [JSON.stringify(options)], {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

/** Runs an import, killing it at random times and restarting it until it finishes. */
async function runWithKills(options: FireOptions, kills: number, random: () => number) {
  for (let killed = 0; ; ) {
    const child = start(options);
    let report: ImportReport<FireRow> | undefined;
    child.on('message', (message: string) => {
      if (message !== 'ready') report = JSON.parse(message);
      // Most kills happen in the middle of the import.
      else if (killed < kills) setTimeout(() => child.kill('SIGKILL'), random() * (isLong ? 900 : 50));
    });
    const [code, signal] = await once(child, 'exit');
    if (signal === 'SIGKILL') killed++;
    else {
      expect(code).toBe(0);
      return { killed, report };
    }
  }
}

async function newLedger(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'import-fire-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, 'tickets.ledger');
}

describe('exactly-once imports', { timeout: size.timeout }, () => {
  it('a file ledger import creates every row once despite random kills', async () => {
    const { options, titles } = await startServer();
    const ledger = await newLedger();
    const { killed, report } = await runWithKills(
      { ...options, ledger, count: size.rows, concurrency: 8 },
      size.kills,
      generator(1),
    );
    expect(killed).toBe(size.kills);
    expect(report).toMatchObject({ read: size.rows, failed: 0, unknown: 0 });
    expect(titles().sort()).toEqual([...fireRows(size.rows)].map(({ title }) => title).sort());
  });

  it('an import with a concurrency of 1 preserves the order of rows', async () => {
    const { options, titles } = await startServer();
    const ledger = await newLedger();
    const { killed } = await runWithKills(
      { ...options, ledger, count: size.ordered, concurrency: 1 },
      size.kills,
      generator(2),
    );
    expect(killed).toBe(size.kills);
    expect(titles()).toEqual([...fireRows(size.ordered)].map(({ title }) => title));
  });

  it.for(['redis', 'postgres'] as const)(
    'four BullMQ workers on %s create every row once despite random kills',
    async (name, { skip }) => {
      skip(!reachable[name], `${name} is not available on this machine`);
      const { options, titles } = await startServer();
      const { options: place } = await startBackend(name);
      const connection = { name: queueName(), ...place };
      const queue = await createImportQueue<FireRow>(connection);
      onTestFinished(async () => {
        await queue.delete({ force: true });
        await queue.close();
      });
      const count = size[name];
      await queue.add(fireRows(count), { key: ({ id }) => id });
      const random = generator(3);
      const workers = keepRunning(4, { ...options, queue: connection, count, concurrency: 4 });
      // Kill based on progress, not time, so even a fast machine doesn't finish before the last kill.
      const killAfter = Array.from({ length: size.kills }, () => random() * 0.7 * count).sort(
        (a, b) => a - b,
      );
      let killed = 0;
      for (;;) {
        const { done, failed } = await queue.counts();
        if (done + failed >= count) break;
        if (done > (killAfter[killed] ?? count) && workers.kill(random())) killed++;
        await sleep(isLong ? 1000 : 20);
      }
      await workers.end();
      const deadLetters = [];
      for await (const deadLetter of queue.deadLetters()) deadLetters.push(deadLetter);
      expect(deadLetters).toEqual([]);
      expect(killed).toBe(size.kills);
      expect(titles().sort()).toEqual([...fireRows(count)].map(({ title }) => title).sort());
    },
  );
});

/** Keeps `count` worker processes running by replacing killed ones. */
function keepRunning(count: number, options: FireOptions) {
  const children = new Set<ChildProcess>();
  let isFinished = false;
  const run = async () => {
    while (!isFinished) {
      const child = start(options);
      children.add(child);
      await once(child, 'exit');
      children.delete(child);
    }
  };
  const running = Array.from({ length: count }, run);
  return {
    kill: (choice: number) => [...children][Math.floor(choice * children.size)]?.kill('SIGKILL') ?? false,
    async end() {
      isFinished = true;
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(running);
    },
  };
}
