import { type ConnectionOptions, createPostgresBackend, Queue, Worker } from 'bullmq';
import { bulk } from 'worktrack';
import { type ImportTarget, ticketTarget } from 'worktrack/jobs';
import {
  createImportQueue,
  createImportWorker,
  type ImportConnection,
  type ImportWorkerOptions,
} from 'worktrack/jobs/bullmq';
import { instantTarget, isListening, newQueueName, rows, setUp } from './support/imports.js';
import { figure, ratioOf, takeTurns } from './support/measure.js';
import type { Benchmark, Row } from './support/report.js';

const count = 1500;
const concurrency = 8;
const schema = 'worktrack_bench';
const servers = {
  Redis: { host: '127.0.0.1', port: 6379 },
  Postgres: { host: '127.0.0.1', port: 5432, user: 'postgres', database: 'test' },
};
/**
 * The maximum time per imported row, as a multiple of the time per plain job. On the machine on which the
 * goals were set, this corresponds to 900 rows per second on Redis and 350 on Postgres.
 */
const goals = { Redis: 9, Postgres: 4 };

/** Compares import workers with plain BullMQ workers on the same databases. */
export const importQueues: Benchmark = {
  title: 'Import queues',
  about: `One worker processes ${count.toLocaleString('en-US')} queued rows, ${concurrency} at a time. The time to add the rows isn't included. The plain
BullMQ worker returns immediately for each job. It has no ledger, so it can process a job twice. "Without requests" means
that the import also returns immediately for each row. The in-process mock server responds without delay.`,
  run: async () => [...(await backend('Redis')), ...(await backend('Postgres'))],
};

async function backend(name: keyof typeof servers): Promise<Row[]> {
  const against = `plain BullMQ on ${name}`;
  const what = `time per row of an import on ${name}, without requests`;
  const server = servers[name];
  if (!(await isListening(server))) {
    return [{ what, against, notRun: `${name} isn't running on ${server.host}:${server.port}` }];
  }
  const place = name === 'Redis' ? { redis: server } : { postgres: { ...server, schema } };
  const [plain, bare, tickets, loop] = [against, what, `tickets on ${name}`, 'loop'];
  const times = await takeTurns<string>(
    {
      [plain]: { take: () => plainWorker(name, server) },
      [bare]: { take: () => importWorker({ name: newQueueName(), ...place }, instantQueueTarget) },
      [tickets]: { take: () => importWorker({ name: newQueueName(), ...place }, ticketTarget(setUp())) },
      [loop]: { take: ticketLoop },
    },
    { rounds: 5 },
  );
  const perSecond = (side: string) => figure((times[side] ?? []).map((time) => 1000 / time));
  return [
    {
      what: `time per ticket of an import on ${name}`,
      against,
      figure: ratioOf(times, tickets, plain),
      goal: { max: goals[name] },
    },
    { what, against, figure: ratioOf(times, bare, plain) },
    {
      what: `time per ticket of an import on ${name}`,
      against: 'a `bulk()` loop without a ledger',
      figure: ratioOf(times, tickets, loop),
    },
    { what: `tickets of an import on ${name}`, against: '–', figure: perSecond(tickets), unit: 'per second' },
    { what: `rows of an import on ${name}`, against: '–', figure: perSecond(bare), unit: 'per second' },
    { what: `jobs of plain BullMQ on ${name}`, against: '–', figure: perSecond(plain), unit: 'per second' },
  ];
}

/** @returns the time per job, in milliseconds */
async function plainWorker(name: keyof typeof servers, server: ConnectionOptions): Promise<number> {
  const connection =
    name === 'Redis' ? server : ({ ...server, schema, migrate: true, max: 4 } as ConnectionOptions);
  const factory: [] | [never] = name === 'Redis' ? [] : [createPostgresBackend as never];
  const queue = new Queue(newQueueName(), { connection }, ...factory);
  await queue.waitUntilReady();
  await queue.addBulk([...rows(count)].map((row) => ({ name: String(row), data: { row } })));
  let done = 0;
  const started = performance.now();
  const worker = new Worker(queue.name, async () => ({ row: 1 }), { connection, concurrency }, ...factory);
  await new Promise<void>((resolve) => {
    worker.on('completed', () => ++done === count && resolve());
  });
  const elapsed = performance.now() - started;
  await worker.close();
  await queue.obliterate({ force: true });
  await queue.close();
  return elapsed / count;
}

/** @returns the time per row, in milliseconds */
async function importWorker(
  connection: ImportConnection,
  target: ImportWorkerOptions<number>['target'],
): Promise<number> {
  const queue = await createImportQueue<number>(connection);
  await queue.add(rows(count), { key: String });
  let done = 0;
  const started = performance.now();
  const worker = await createImportWorker<number>({ ...connection, target, concurrency });
  await new Promise<void>((resolve) => {
    worker.bullmq.on('completed', () => ++done === count && resolve());
  });
  const elapsed = performance.now() - started;
  await worker.close();
  await queue.delete({ force: true });
  await queue.close();
  return elapsed / count;
}

async function ticketLoop(): Promise<number> {
  const { client, project, toTicket } = setUp();
  const started = performance.now();
  await bulk(rows(count), (row) => client.tickets.create(project, toTicket(row)), { concurrency });
  return (performance.now() - started) / count;
}

const instantQueueTarget: ImportTarget<number, number> = {
  ...instantTarget(),
  lookup: { group: String, find: async function* () {}, match: () => 'no' },
};
