import { type ConnectionOptions, createPostgresBackend, Queue, Worker } from 'bullmq';
import { bulk } from 'worktrack';
import { importQueue, importWorker, type QueueConnection } from 'worktrack/jobs/bullmq';
import { isListening, newQueueName, rows, setUp } from './support/imports.js';
import { figure, ratioOf, takeTurns } from './support/measure.js';
import type { Benchmark, Row } from './support/report.js';

const count = 1500;
const concurrency = 8;
const schema = 'worktrack_bench';
const servers = {
  Redis: { host: '127.0.0.1', port: 6379 },
  Postgres: { host: '127.0.0.1', port: 5432, user: 'postgres', database: 'test' },
};
/** The minimum number of imported rows, as a multiple of the number of plain jobs in the same time. */
const goals = { Redis: 0.15, Postgres: 0.6 };

/** Compares import workers with plain BullMQ workers on the same databases. */
export const importQueues: Benchmark = {
  title: 'Import queues',
  about: `One worker processes ${count.toLocaleString('en-US')} queued rows, ${concurrency} at a time. The time to add the rows isn't included. The plain
BullMQ worker returns immediately for each job, and an import worker creates a ticket. The in-process mock server
responds without delay.`,
  run: async () => [...(await backend('Redis')), ...(await backend('Postgres'))],
};

async function backend(name: keyof typeof servers): Promise<Row[]> {
  const against = `plain BullMQ on ${name}`;
  const what = `rows per second of an import on ${name}`;
  const server = servers[name];
  if (!(await isListening(server))) {
    return [{ what, against, notRun: `${name} isn't running on ${server.host}:${server.port}` }];
  }
  const place = name === 'Redis' ? { redis: server } : { postgres: { ...server, schema } };
  const loop = 'loop';
  const times = await takeTurns<string>(
    {
      [against]: { take: () => plainWorker(name, server) },
      [what]: { take: () => ticketWorker({ name: newQueueName(), ...place }) },
      [loop]: { take: ticketLoop },
    },
    { rounds: 5 },
  );
  const perSecond = (side: string) => figure((times[side] ?? []).map((time) => 1000 / time));
  return [
    // The ratio of the times is the inverse of the ratio of the rates.
    { what, against, figure: ratioOf(times, against, what), goal: { min: goals[name] } },
    { what, against: 'a `bulk()` loop without a queue', figure: ratioOf(times, loop, what) },
    { what, against: '–', figure: perSecond(what), unit: 'per second' },
    { what: `jobs of plain BullMQ on ${name}`, against: '–', figure: perSecond(against), unit: 'per second' },
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
async function ticketWorker(connection: QueueConnection): Promise<number> {
  const { client, project, toTicket } = setUp();
  const queue = importQueue<number>(connection);
  await queue.add(rows(count), { key: String });
  let done = 0;
  const started = performance.now();
  const worker = importWorker<number>({
    ...{ ...connection, client, project, toTicket, concurrency },
    source: 'Benchmark',
  });
  await new Promise<void>((resolve) => {
    worker.bullmq.on('completed', () => ++done === count && resolve());
  });
  const elapsed = performance.now() - started;
  await worker.close();
  await queue.bullmq.obliterate({ force: true });
  await queue.close();
  return elapsed / count;
}

async function ticketLoop(): Promise<number> {
  const { client, project, toTicket } = setUp();
  const started = performance.now();
  await bulk(rows(count), (row) => client.tickets.create(project, toTicket(row)), { concurrency });
  return (performance.now() - started) / count;
}
