import type { ImportConnection } from 'worktrack/import/bullmq';

/** What a process of the fire tests is told. */
export interface FireOptions {
  client: { baseUrl: string; token: string; organization: string };
  project: string;
  board: string;
  count: number;
  concurrency: number;
  /** For an import on one machine. */
  ledger?: string;
  /** For a worker. */
  queue?: ImportConnection;
}

export interface FireRow {
  id: string;
  title: string;
  text: string;
}

/** Rows of which every tenth has the title and the description of many others. */
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
