// Keeps a project in sync with a CSV file. Prints the changes that it would make, and makes them if you pass
// --apply. Run it from cron, or whenever the file changes. Without arguments, it syncs two versions of a
// small file with a new project. The key, title, and board columns are required, and the board column must
// contain a slug.
//
// Usage: npx tsx examples/sync-csv.ts tickets.csv <project ID> --apply

import { readFile } from 'node:fs/promises';
import { type Book, memoryBook, planSync, sqliteBook, syncTickets } from 'worktrack/jobs';
import { connect } from './support/connect.js';
import { parseCsv } from './support/csv.js';
import { makeProject } from './support/sample-import.js';

const { client } = await connect();
const [file, project = await makeProject(client)] = process.argv.slice(2);
if (file === undefined) {
  const book = memoryBook();
  await sync('key,title,board\nA-1,Fuel the rocket,to-do\nA-2,Close the doors,to-do\n', book, true);
  await sync('key,title,board\nA-1,Fuel the rocket,done\n', book, true);
} else {
  // Keep the book. It stores which ticket belongs to which row, and what was synced last.
  const book = sqliteBook(`${file}.${project}.book`);
  await sync(await readFile(file, 'utf8'), book, process.argv.includes('--apply'));
  await book.close();
}

async function sync(csv: string, book: Book, apply: boolean): Promise<void> {
  const options = {
    client,
    project,
    book,
    source: 'CSV',
    rows: parseCsv(csv),
    key: ({ key = '' }: Record<string, string>) => key,
    toTicket: ({ title = '', board = '' }: Record<string, string>) => ({ title, board_slug: board }),
    // If many rows are missing, nothing is archived, because the file is probably incomplete.
    onMissing: 'archive' as const,
  };
  const plan = await planSync(options);
  for (const { type, key, title } of plan.operations) console.log(`${type} ${key}: ${title}`);
  if (!apply) return;
  const { created, updated, archived, conflicts, failed } = await syncTickets({ ...options, plan });
  console.log(
    `${created} created, ${updated} updated, ${archived} archived, ${conflicts} with conflicts, ${failed} failed`,
  );
  process.exitCode = conflicts || failed ? 1 : 0;
}
