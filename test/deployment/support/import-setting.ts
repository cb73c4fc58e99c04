import { join } from 'node:path';
import { type ImportTicketsOptions, importTickets, sqliteBook } from 'worktrack/jobs';
import { temporaryFolder } from '../../support/temporary-folder.js';
import type { DeploymentRequest, Failure } from './deployment.js';
import type { Settings } from './records.js';
import { generator, type Row } from './rows.js';
import { lost, reset, setUp } from './set-up.js';

/** The source of the imported rows, which the marks contain. */
export const source = 'Old tracker';

/** The ways in which a request that creates a ticket can fail. */
export const failures: Record<string, Failure> = {
  lost,
  reset,
  truncated: { processed: true, truncated: true },
  'processed later': { processed: true, later: 1500 },
  'failed with 500': { processed: false, status: 500 },
  'failed with 500 after the ticket was created': { processed: true, status: 500 },
  'failed with 502 after the ticket was created': { processed: true, status: 502 },
  unavailable: { processed: false, status: 503 },
};

/**
 * Lets a part of the requests that create tickets fail in all ways.
 *
 * @param later how long requests that are processed later take, in milliseconds
 */
export function failSome(seed: number, rate: number, later = 1500) {
  const random = generator(seed);
  const all = Object.values(failures).map((failure) => (failure.later ? { ...failure, later } : failure));
  return async ({ operation, count }: DeploymentRequest): Promise<Failure | undefined> =>
    operation === 'tickets.create' && (count <= all.length || random() < rate)
      ? all[Math.floor(count + random() * 2) % all.length]
      : undefined;
}

/** Starts a deployment, and returns functions that import rows into it and judge the result. */
export async function setUpImport(settings?: Partial<Settings>) {
  const setting = await setUp(settings);
  const { records, client, project, toTicket } = setting;
  const path = join(await temporaryFolder(), 'tickets.book');
  const run = async (rows: Iterable<Row>, options: Partial<ImportTicketsOptions<Row>> = {}) => {
    const book = sqliteBook(path);
    try {
      return await importTickets<Row>({
        client,
        project,
        source,
        rows,
        toTicket,
        book,
        key: ({ id }) => id,
        settleDelay: 4000,
        ...options,
      });
    } finally {
      await book.close();
    }
  };
  /** Counts the rows without a ticket, and the tickets that a row has in addition to its first one. */
  const outcome = (rows: Iterable<Row>) => {
    const counts = new Map<string, number>();
    for (const { description_html } of records.tickets.values()) {
      const [, key] = /Imported from Old tracker: (\S+) \[\w{8}\]/.exec(description_html ?? '') ?? [];
      if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const found = { lost: 0, doubled: 0 };
    for (const { id } of rows) {
      const count = counts.get(id) ?? 0;
      if (count === 0) found.lost++;
      else found.doubled += count - 1;
    }
    return found;
  };
  /** The states in the book, and how many of its records don't exist. */
  const bookStates = async () => {
    const book = sqliteBook(path);
    const found: Record<string, number> = { missing: 0 };
    for await (const { key, state, value } of book.entries()) {
      if (!key.startsWith('row:')) continue;
      found[state] = (found[state] ?? 0) + 1;
      if (state === 'done' && !records.tickets.has(`${(value as { id: string }).id}`))
        found.missing = (found.missing ?? 0) + 1;
    }
    await book.close();
    return found;
  };
  return { ...setting, path, run, outcome, bookStates };
}

export const exactlyOnce = { lost: 0, doubled: 0 };
