import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { bulk } from 'worktrack';
import { fileLedger, memoryLedger, runImport, syncTickets, ticketTarget } from 'worktrack/jobs';
import { createImportQueue, createImportWorker } from 'worktrack/jobs/bullmq';
import { instantTarget, isListening, newQueueName, rows, setUp } from './support/imports.js';
import { figure, heapUsed, ratioOf, takeTurns } from './support/measure.js';
import type { Benchmark, Row } from './support/report.js';
import { inTemporaryFolder } from './support/temporary-folder.js';

const count = 2000;
const latency = 5;
/** Server options that delay the responses. */
const delayed = { faults: [{ operation: ['tickets.create', 'tickets.update'] as const, latency }] };
const redis = { host: '127.0.0.1', port: 6379 };

/** Compares imports with a plain `bulk()` loop, and measures their request rate and memory usage. */
export const imports: Benchmark = {
  title: 'Imports',
  about: `This benchmark measures the speed and memory usage of imports:

- **Duration**: An import and a \`bulk()\` loop each create ${count.toLocaleString('en-US')} tickets, eight at a time. Then a sync
  and a \`bulk()\` loop each update these tickets. The in-process mock server responds after ${latency} ms.
- **Request rate**: Four workers create records in-process for 20 seconds. The result is the rate relative to
  the workers' limit.
- **Memory**: A generator provides a million rows, and the ledger is a file. The result is the final heap size
  relative to the size after 100,000 rows, both measured after garbage collection.`,
  run: async () => [...(await throughput()), await limiter(), ...(await flat())],
};

async function throughput(): Promise<Row[]> {
  const hasRedis = await isListening(redis);
  const times = await inTemporaryFolder((folder) =>
    takeTurns<string>(
      {
        [plain]: () => {
          const { client, project, toTicket } = setUp(delayed);
          return bulk(rows(count), (row) => client.tickets.create(project, toTicket(row)));
        },
        [inMemory]: () => run(memoryLedger()),
        [inFile]: async () => {
          const ledger = await fileLedger(join(folder, randomUUID()));
          await run(ledger).finally(() => ledger.close());
        },
        ...(hasRedis && { [inRedis]: () => runQueue() }),
        [plainUpdates]: { take: () => updates(false) },
        [syncedUpdates]: { take: () => updates(true) },
      },
      { rounds: 5 },
    ),
  );
  const imported = [inMemory, inFile, inRedis].map((what) => {
    if (what === inRedis && !hasRedis) return { what, against: plain, notRun: noRedis };
    return { what, against: plain, figure: ratioOf(times, what, plain) };
  });
  const synced = { what: syncedUpdates, against: plainUpdates };
  return [...imported, { ...synced, figure: ratioOf(times, syncedUpdates, plainUpdates) }];
}

const noRedis = "Redis isn't running on 127.0.0.1:6379";
const plain = 'a `bulk()` loop without a ledger';
const inMemory = 'time to import tickets with an in-memory ledger';
const inFile = 'time to import tickets with a file ledger';
const inRedis = 'time to import tickets with one BullMQ worker on Redis, including the time to queue them';

const plainUpdates = 'a `bulk()` loop of updates';
const syncedUpdates = 'time to update tickets with a sync and a file ledger, including the time to read them';

/** Creates tickets and then changes all their titles. @returns how long the changes took, in milliseconds */
function updates(isSync: boolean): Promise<number> {
  const { client, project, toTicket } = setUp(delayed);
  return inTemporaryFolder(async (folder) => {
    const ledger = await fileLedger(join(folder, 'ledger'));
    const sync = (suffix: string) =>
      syncTickets<number>({
        ...{ client, project, ledger, rows: rows(count), key: String },
        toTicket: (row) => ({ ...toTicket(row), title: `Ticket ${row}${suffix}` }),
      });
    try {
      await sync('');
      const ids: string[] = [];
      for await (const { recordId } of ledger.entries('done')) ids.push(`${recordId}`);
      const started = performance.now();
      if (isSync) await sync(' has changed');
      else await bulk(ids, (id) => client.tickets.update(id, { title: `${id} has changed` }));
      return performance.now() - started;
    } finally {
      await ledger.close();
    }
  });
}

async function limiter(): Promise<Row> {
  const row = {
    what: 'request rate of four BullMQ workers',
    against: "the workers' limit (6,000 requests per minute)",
  };
  if (!(await isListening(redis))) return { ...row, notRun: noRedis };
  const seconds = 20;
  const perSecond = 100;
  const starts: number[] = [];
  const target = instantTarget(() => starts.push(performance.now()));
  const name = newQueueName();
  const queue = await createImportQueue<number>({ name, redis });
  await queue.add(rows((seconds + 5) * perSecond), { key: String });
  const options = { name, redis, target, requestsPerMinute: perSecond * 60 };
  const workers = await Promise.all(Array.from({ length: 4 }, () => createImportWorker<number>(options)));
  await wait((seconds + 1) * 1000);
  await queue.pause();
  await Promise.all(workers.map((worker) => worker.close()));
  await queue.delete({ force: true });
  await queue.close();
  const first = starts[0] ?? 0;
  const within = starts.filter((at) => at - first < seconds * 1000).length;
  return { ...row, figure: figure([within / (seconds * perSecond)]), goal: { min: 0.98, max: 1.02 } };
}

function flat(): Promise<Row[]> {
  return inTemporaryFolder(async (folder) => {
    const ledger = await fileLedger(join(folder, 'ledger'));
    const memory: { heap: number; offHeap: number }[] = [];
    let created = 0;
    const target = instantTarget(() => {
      created++;
      if (created !== 100_000 && created !== 1_000_000) return;
      memory.push({ heap: heapUsed(), offHeap: process.memoryUsage().arrayBuffers });
    });
    // Without --expose-gc, this fails now instead of failing rows of the import.
    heapUsed();
    await runImport<number>({ target, ledger, rows: rows(1_000_000), key: String, concurrency: 64 }).finally(
      () => ledger.close(),
    );
    const [early, late] = memory;
    if (!early || !late) throw new Error("import: some rows weren't imported");
    return [
      {
        what: 'heap size after 1,000,000 rows',
        against: 'the heap size after 100,000 rows',
        figure: figure([late.heap / early.heap]),
        goal: { max: 1.2 },
      },
      {
        what: 'off-heap memory per row',
        against: '–',
        figure: figure([(late.offHeap - early.offHeap) / 900_000]),
        unit: 'bytes',
        goal: { max: 120 },
      },
    ];
  });
}

async function run(ledger: ReturnType<typeof memoryLedger>): Promise<void> {
  const { created } = await runImport<number>({
    target: ticketTarget(setUp(delayed)),
    ledger,
    rows: rows(count),
    key: String,
  });
  if (created !== count) throw new Error(`import: created ${created} of ${count} tickets`);
}

async function runQueue(): Promise<void> {
  const name = newQueueName();
  const queue = await createImportQueue<number>({ name, redis });
  await queue.add(rows(count), { key: String });
  const worker = await createImportWorker<number>({
    name,
    redis,
    target: ticketTarget(setUp(delayed)),
    concurrency: 8,
  });
  while ((await queue.counts()).done < count) await wait(20);
  await worker.close();
  await queue.delete({ force: true });
  await queue.close();
}
