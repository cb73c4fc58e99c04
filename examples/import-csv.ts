// Imports tickets from a CSV file: npx tsx examples/import-csv.ts tickets.csv <project id>
// Kill it at any moment and start it again: it goes on where it was, and makes no ticket twice.
// Without arguments it makes a file of 10,000 tickets and a project, and imports the one into the other.
// Columns: title, board (the board's slug), and if you like priority, due_at, description_html.

import { readFile } from 'node:fs/promises';
import { bulk, type CreateTicket, isWorktrackError, type Priority, type Ticket } from 'worktrack';
import { connect } from './support/connect.js';
import { parseCsv } from './support/csv.js';
import { openJournal } from './support/import-journal.js';
import { progressBar } from './support/progress-bar.js';
import { makeProject, writeSample } from './support/sample-import.js';

const { client, place } = await connect();
const [file = await writeSample(10_000), project = await makeProject(client)] = process.argv.slice(2);
const text = await readFile(file, 'utf8');
const rows = parseCsv(text);
const journal = openJournal(`${file}.${project}.progress`, text);
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());

const pending = [...rows.keys()].filter((number) => !journal.done.has(number));
console.log(
  `${file}: ${rows.length} tickets, ${rows.length - pending.length} of them imported before, to ${place}`,
);
const draw = progressBar(rows.length - pending.length, rows.length);
const { failures, stopped } = await bulk(pending, importRow, {
  concurrency: 8,
  signal: stop.signal,
  onProgress: ({ succeeded, failed }) => draw(succeeded, failed),
});

for (const { input, error } of failures) console.error(`row ${input + 2}: ${(error as Error).message}`);
if (stopped) console.log('stopped; start it again to go on');
process.exitCode = failures.length || stopped ? 1 : 0;

async function importRow(number: number): Promise<void> {
  const { title = '', board = '', priority, due_at, description_html = '' } = rows[number] ?? {};
  // Creating a ticket is no operation that can be repeated at will. A mark in the ticket tells, when the
  // answer was lost or this program was killed before it came, whether the ticket exists.
  const mark = `<!-- import ${journal.fingerprint} ${number} -->`;
  const ticket: CreateTicket = {
    title,
    board_slug: board,
    description_html: description_html + mark,
    ...(priority && { priority: priority as Priority }),
    ...(due_at && { due_at }),
  };
  const known = journal.begun.has(number) && (await find(title, mark));
  if (!known) {
    journal.begin(number);
    await createOnce(ticket, mark);
  }
  journal.finish(number);
}

async function createOnce(ticket: CreateTicket, mark: string): Promise<void> {
  for (let left = 3; ; left--) {
    try {
      await client.tickets.create(project, ticket);
      return;
    } catch (error) {
      const mayExist = isWorktrackError(error) && ['unknown', 'done'].includes(error.outcome);
      if (mayExist && (await find(ticket.title, mark))) return;
      if (!mayExist || !left) throw error;
    }
  }
}

async function find(title: string, mark: string): Promise<Ticket | undefined> {
  for await (const ticket of client.tickets.list(project, { q: title, per_page: 200 })) {
    if (ticket.description_html?.includes(mark)) return ticket;
  }
  return undefined;
}
