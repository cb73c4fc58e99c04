// This process syncs rows with a book in a file. Tests start, kill, and restart it.
import { Worktrack } from 'worktrack';
import { sqliteBook, syncTickets } from 'worktrack/jobs';
import { type Row, versionOf } from './rows.js';

export interface SyncProcessOptions {
  client: { baseUrl: string; token: string; organization: string };
  project: string;
  board: string;
  /** The board for rows that are done. */
  done: string;
  /** The path of the book. */
  path: string;
  /** The version of the rows, and their number. */
  version: 0 | 1 | 2;
  count: number;
}

// Exit when the test process exits, because nothing else would stop this process.
process.on('disconnect', () => process.exit(2));

const options = JSON.parse(process.argv[2] ?? '') as SyncProcessOptions;
const { project, board, done, path, version, count } = options;
const client = new Worktrack({ ...options.client, logLevel: 'off', retry: { maxDelay: 20 } });
const book = sqliteBook(path);
const report = await syncTickets<Row>({
  ...{ client, project, book, source: 'Old tracker' },
  rows: versionOf(version, count),
  key: ({ id }) => id,
  toTicket: ({ title, text, isDone }) => ({
    board_id: isDone ? done : board,
    title,
    description_html: text ?? null,
  }),
  onMissing: 'archive',
  concurrency: 4,
  settleDelay: 100,
});
await book.close();
process.send?.(JSON.stringify(report), () => process.exit(0));
