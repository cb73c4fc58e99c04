import type { ImportConnection } from 'worktrack/import/bullmq';

/** The options for a process in the fire tests. */
export interface FireOptions {
  client: { baseUrl: string; token: string; organization: string };
  project: string;
  board: string;
  count: number;
  concurrency: number;
  /** The path of the ledger, for a single-process import. */
  ledger?: string;
  /** The queue connection, for a worker. */
  queue?: ImportConnection;
}

export interface FireRow {
  id: string;
  title: string;
  text: string;
}

/** Generates rows. Every tenth row shares its title and description with other rows. */
export function* fireRows(count: number): Generator<FireRow> {
  for (let index = 0; index < count; index++) {
    const number = String(index).padStart(6, '0');
    const isCommon = index % 10 === 0;
    yield {
      id: `old-${number}`,
      title: isCommon ? `Common ${Math.floor(index / 10) % 20}` : `Ticket ${number} of the import`,
      text: isCommon ? '<p>The same for all</p>' : `<p>Row ${number}</p>`,
    };
  }
}
