import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { bulk } from 'worktrack';
import { type Book, importTickets, memoryBook, sqliteBook, syncTickets } from 'worktrack/jobs';
import { rows, setUp } from './support/imports.js';
import { ratioOf, takeTurns } from './support/measure.js';
import type { Benchmark, Row } from './support/report.js';
import { inTemporaryFolder } from './support/temporary-folder.js';

const count = 2000;
const latency = 5;
/** Server options that delay the responses. */
const delayed = { faults: [{ operation: ['tickets.create', 'tickets.update'] as const, latency }] };

/** Compares imports and syncs with plain `bulk()` loops. */
export const imports: Benchmark = {
  title: 'Imports',
  about: `An import and a \`bulk()\` loop each create ${count.toLocaleString('en-US')} tickets, eight at a time. Then a sync and
a \`bulk()\` loop each update these tickets. The in-process mock server responds after ${latency} ms.`,
  run: throughput,
};

async function throughput(): Promise<Row[]> {
  const times = await inTemporaryFolder((folder) =>
    takeTurns<string>(
      {
        [plain]: () => {
          const { client, project, toTicket } = setUp(delayed);
          return bulk(rows(count), (row) => client.tickets.create(project, toTicket(row)));
        },
        [inMemory]: () => importInto(memoryBook()),
        [inFile]: () => importInto(sqliteBook(join(folder, randomUUID()))),
        [plainUpdates]: { take: () => updates(false, folder) },
        [syncedUpdates]: { take: () => updates(true, folder) },
      },
      { rounds: 5 },
    ),
  );
  // An import must reach 0.8 of the speed of a plain loop.
  return [
    { what: inMemory, against: plain, figure: ratioOf(times, inMemory, plain), goal: { max: 1.25 } },
    { what: inFile, against: plain, figure: ratioOf(times, inFile, plain), goal: { max: 1.25 } },
    { what: syncedUpdates, against: plainUpdates, figure: ratioOf(times, syncedUpdates, plainUpdates) },
  ];
}

const plain = 'a `bulk()` loop without a book';
const inMemory = 'time to import tickets with a book in memory';
const inFile = 'time to import tickets with a book in a file';
const plainUpdates = 'a `bulk()` loop of updates';
const syncedUpdates =
  'time to update tickets with a sync and a book in a file, including the time to read them';

async function importInto(book: Book): Promise<void> {
  const { client, project, toTicket } = setUp(delayed);
  const { created } = await importTickets<number>({
    ...{ client, project, toTicket, book },
    source: 'Benchmark',
    rows: rows(count),
    key: String,
  }).finally(() => book.close());
  if (created !== count) throw new Error(`import: created ${created} of ${count} tickets`);
}

/** Creates tickets and then changes all their titles. @returns how long the changes took, in milliseconds */
async function updates(isSync: boolean, folder: string): Promise<number> {
  const { client, project, toTicket } = setUp(delayed);
  const book = sqliteBook(join(folder, randomUUID()));
  const sync = (suffix: string) =>
    syncTickets<number>({
      ...{ client, project, book, rows: rows(count), key: String, source: 'Benchmark' },
      toTicket: (row) => ({ ...toTicket(row), title: `Ticket ${row}${suffix}` }),
    });
  try {
    await sync('');
    const ids = (await client.tickets.list(project).toArray({ complete: true })).map(({ id }) => id);
    const started = performance.now();
    if (isSync) await sync(' has changed');
    else await bulk(ids, (id) => client.tickets.update(id, { title: `${id} has changed` }));
    return performance.now() - started;
  } finally {
    await book.close();
  }
}
