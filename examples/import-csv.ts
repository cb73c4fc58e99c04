// Imports tickets from a CSV file. If you stop the program and run it again with the same arguments, it
// picks up where it left off and doesn't create duplicates. Without arguments, it creates a sample file with
// 10,000 tickets and imports it into a new project. The title and board columns are required, and the board
// column must contain a slug. The priority, due_at, and description_html columns are optional.
//
// Usage: npx tsx examples/import-csv.ts tickets.csv <project ID>

import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { CreateTicket } from 'worktrack';
import { importTickets, sqliteBook } from 'worktrack/jobs';
import { connect } from './support/connect.js';
import { parseCsv } from './support/csv.js';
import { makeProject, writeSample } from './support/sample-import.js';

const { client } = await connect();
const [file = await writeSample(10_000), project = await makeProject(client)] = process.argv.slice(2);
const rows = parseCsv(await readFile(file, 'utf8'));
const book = sqliteBook(`${file}.${project}.book`);
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());

const report = await importTickets({
  client,
  project,
  source: basename(file),
  rows: rows.entries(),
  key: ([index]) => `row ${index + 1}`,
  toTicket: ([, { title = '', board = '', priority, due_at, description_html }]): CreateTicket => ({
    title,
    board_slug: board,
    ...(description_html && { description_html }),
    ...(priority && { priority: priority as CreateTicket['priority'] }),
    ...(due_at && { due_at }),
  }),
  book,
  signal: stop.signal,
  onProgress({ finished }) {
    if (finished % 1000 === 0) console.log(`${finished} of ${rows.length}`);
  },
});
await book.close();

console.log(
  `${report.created} created, ${report.recovered} recovered, ${report.skipped} imported earlier, ${report.failed} failed, ${report.unknown} in doubt`,
);
for (const { key, error } of [...report.failedRows, ...report.unknownRows])
  console.error(`${key}: ${error?.message}`);
if (report.stopped) console.log('Stopped. Run the program again to continue.');
for (const { key, extra } of report.duplicates)
  console.error(`${key} has extra tickets: ${extra.join(', ')}`);
process.exitCode = report.failed || report.unknown || report.stopped || report.duplicateCount ? 1 : 0;
