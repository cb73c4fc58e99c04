import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type ExampleId, exampleTitles } from '../../docs/.vitepress/content/examples.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** A line that each example must print: what it is there to show. */
const telling: Record<ExampleId, RegExp> = {
  'first-board': /^Now it is on Doing, at position 0, since 20/m,
  'wip-limits': /^Radio has to wait: tickets\.move: .*wip_limit_reached/m,
  errors: /^ {2}InvalidRequestError \(invalid_request\), not_sent$/m,
  pagination: /^One by one: Step 1, .*, Step 7\.$/m,
  'documents-and-tags': /^launch \+ ops: Launch runbook$/m,
  notifications: /^A stranger is not told: .*invalid_recipient/m,
  analytics: /^3 tickets: 1 done, 2 open, 1 overdue\.$/m,
  'board-deletion': /^Tickets to nowhere: target_board_required\./m,
  scopes: /^The dashboard may not rename it: missing_scope\./m,
  'retries-and-faults': /^projects\.list: 0 projects, after 3 requests\.$/m,
  'testing-with-fetch': /^startWork says “board is full”, and the ticket is still on brd_todo\.$/m,
  'team-day': /2 of 5 done, 3 open, 1 overdue/,
};

describe('an example runs in Node.js and prints what it shows', () => {
  test.concurrent.each(Object.entries(telling))('%s', async (id, line) => {
    const { WORKTRACK_BASE_URL: _, ...env } = process.env;
    const { stdout, stderr } = await run(process.execPath, ['--import', 'tsx', `examples/${id}.ts`], {
      cwd: root,
      env,
    });
    expect(stderr).toBe('');
    expect(stdout).toMatch(line);
  });
}, 30_000);

test('every file of examples/ that a page can run has a page', () => {
  const nodeOnly = ['import-csv'];
  const files = readdirSync(`${root}examples`, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map(({ name }) => name.replace(/\.ts$/, ''))
    .filter((name) => !nodeOnly.includes(name));
  expect(files.sort()).toEqual(Object.keys(exampleTitles).sort());
});
