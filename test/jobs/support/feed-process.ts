// Watches a project and prints each change as a line of JSON until it's killed.
//
// Usage: node feed-process.mjs <options as JSON>
import { Worktrack } from 'worktrack';
import { sqliteBook, watchChanges } from 'worktrack/jobs';

export interface ProcessOptions {
  client: { baseUrl: string; token: string; organization: string };
  project: string;
  path: string;
}

const { client, project, path } = JSON.parse(process.argv[2] ?? '') as ProcessOptions;
const feed = watchChanges({
  client: new Worktrack({ ...client, logLevel: 'off' }),
  project,
  include: ['ticket'],
  book: sqliteBook(path),
  every: 10,
  // Deletions come last, so they accumulate if each process is killed after a few changes.
  maxDeletions: Number.POSITIVE_INFINITY,
});
for await (const { id, type, recordId, before, fields, after } of feed) {
  const values = Object.fromEntries(fields.map((name) => [name, after?.[name as never]]));
  const line = JSON.stringify({ id, type, recordId, before, fields, values });
  // Wait until the line is in the pipe, because the change counts as delivered afterward.
  await new Promise((resolve) => process.stdout.write(`${line}\n`, resolve));
}
