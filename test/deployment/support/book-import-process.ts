// This process imports rows with a book in a file. Tests start, kill, and restart it.
import { Worktrack } from 'worktrack';
import { importTickets, sqliteBook } from 'worktrack/jobs';
import { manyRows, type Row } from './rows.js';

export interface BookImportOptions {
  client: { baseUrl: string; token: string; organization: string };
  project: string;
  board: string;
  source: string;
  /** The path of the book. */
  path: string;
  /** The number of rows. */
  count: number;
}

// Exit when the test process exits, because nothing else would stop this process.
process.on('disconnect', () => process.exit(2));

const { project, board, source, path, count, ...options } = JSON.parse(
  process.argv[2] ?? '',
) as BookImportOptions;
const client = new Worktrack({ ...options.client, logLevel: 'off', retry: { maxDelay: 20 } });
const book = sqliteBook(path);
let isFirst = true;
const { created, recovered, skipped, failed, unknown, duplicateCount } = await importTickets<Row>({
  client,
  project,
  source,
  book,
  rows: manyRows(count),
  key: ({ id }) => id,
  toTicket: ({ title, text }) => ({ board_id: board, title, description_html: text ?? null }),
  settleDelay: 500,
  onProgress: (progress) => {
    if (isFirst && progress.created > 0) process.send?.('started');
    isFirst &&= progress.created === 0;
  },
});
await book.close();
const report = { created, recovered, skipped, failed, unknown, duplicateCount };
process.send?.(JSON.stringify(report), () => process.exit(0));
