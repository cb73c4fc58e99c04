import { join } from 'node:path';
import { test, vi } from 'vitest';
import { bulk, type Worktrack } from 'worktrack';
import {
  type Check,
  converges,
  type ExploreOptions,
  noDuplicates,
  noUnhandledRejections,
} from 'worktrack/explore';
import { type Book, importTickets, memoryBook, readChanges, sqliteBook } from 'worktrack/jobs';
import { createMockServer } from 'worktrack/mock-server';
import { expect } from 'worktrack/testing/vitest';

import { boardOverview } from '../../../addons/mcp/tasks/board-overview.js';
import { findTickets } from '../../../addons/mcp/tasks/find-tickets.js';
import { weeklySummary } from '../../../addons/mcp/tasks/weekly-summary.js';
import { operationTools } from '../../../addons/mcp/tools/operation-tools.js';
import type { Tool } from '../../../addons/mcp/tools/tool.js';
import { Lookup } from '../../../addons/shared/lookup.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { exploreFaults, isLong, limitedTo } from './support/explore-faults.js';
import { start, titles } from './support/start.js';

const limits = { runTimeout: 60_000, ...limitedTo(20) };
vi.setConfig({ testTimeout: 150_000 });

const check = [noDuplicates(), converges(), noUnhandledRejections()];

test('findOrCreate with a key survives every injected failure', async () => {
  const { mock, project, todo } = start();
  const report = await exploreFaults(
    mock,
    async ({ client }) => {
      await client.tickets.findOrCreate(project, { board_id: todo, title: 'Fuel' }, { key: 'form-1' });
      await client.documents.findOrCreate({ title: 'Plan' }, { key: 'form-1' });
    },
    { check, ...limits },
  );
  expect(report).toSurvive();
});

test('bulk survives every injected failure', async () => {
  const { mock, project, todo, done } = start();
  for (const title of titles) mock.add.ticket({ board: todo, title });
  const report = await exploreFaults(
    mock,
    ({ client }) =>
      bulk(client.tickets.list(project, { board_id: todo }), (ticket) =>
        client.tickets.move(ticket.id, { board_id: done }),
      ),
    { check, ...limits },
  );
  expect(report).toSurvive();
});

/** Imports three tickets. Requires every ticket to become exactly one record. */
async function exploreImport(
  openBook: (signal: AbortSignal) => Promise<Book> | Book,
  beforeRun: () => unknown,
  options: Partial<ExploreOptions> = {},
) {
  const { mock, project, todo } = start();
  const importAll = async (client: Worktrack, signal: AbortSignal) => {
    const report = await importTickets<string>({
      client,
      project,
      source: 'Jira',
      rows: titles,
      key: (title) => title,
      toTicket: (title) => ({ board_id: todo, title }),
      book: await openBook(signal),
      signal,
    });
    if (report.failed > 0 || report.unknown > 0)
      throw new Error(`${report.failed} failed, ${report.unknown} in doubt`);
  };
  return exploreFaults(mock, ({ client, signal }) => importAll(client, signal), {
    check,
    beforeRun,
    ...limits,
    ...options,
  });
}

test('an import with a new book for each attempt survives every injected failure', async () => {
  const report = await exploreImport(memoryBook, () => {});
  expect(report).toSurvive();
});

test('an import with a book in a file survives every injected failure', async () => {
  const folder = await temporaryFolder();
  let path: string;
  let runs = 0;
  let last: Book | undefined;
  const report = await exploreImport(
    async () => {
      // If the process had really crashed, the operating system would have released its lock.
      await last?.close();
      last = sqliteBook(path);
      return last;
    },
    () => {
      path = join(folder, `run-${++runs}.book`);
    },
    isLong ? {} : { maxRuns: 12 },
  );
  await last?.close();
  expect(report).toSurvive();
});

test('readChanges delivers each change at least once and reports only real deletions', async () => {
  const { mock, project, todo } = start();
  const ids = titles.map((title) => mock.add.ticket({ board: todo, title }).id);
  let book: Book;
  let delivered: { type: string; recordId: string }[];
  const check: Check = async ({ rerun }) => {
    const { error, after } = await rerun();
    if (error !== undefined) throw error;
    const live = new Set(Object.values(after).flatMap((records) => records.map(({ id }) => id)));
    const lost = ids.filter((id) => live.has(id) && !delivered.some(({ recordId }) => recordId === id));
    if (lost.length > 0) throw new Error(`not delivered: ${lost}`);
    const wrong = delivered.filter(({ type, recordId }) => type.endsWith('deleted') && live.has(recordId));
    if (wrong.length > 0) throw new Error(`deleted, but still there: ${JSON.stringify(wrong)}`);
  };
  const report = await exploreFaults(
    mock,
    async ({ client }) => {
      const { changes, commit } = await readChanges({ client, project, book, initial: 'emit' });
      for (const change of changes) {
        delivered.push(change);
        await commit(change);
      }
    },
    {
      check,
      kinds: [
        'connection',
        'status_503',
        'truncated',
        'malformed',
        'slow',
        'crash_before',
        'crash_after',
        'record_deleted',
        'record_moved',
        'record_edited',
      ],
      beforeRun: () => {
        book = memoryBook();
        delivered = [];
      },
      ...limits,
    },
  );
  expect(report).toSurvive();
});

const ticketsMove = operationTools(false).find(({ name }) => name === 'tickets_move') as Tool;

test.each([
  [boardOverview, { project: 'APO' }],
  [findTickets, { q: 'Fuel' }],
  [ticketsMove, { ticket: 'APO-2', board_id: 'Done' }],
  [weeklySummary, { project: 'APO' }],
])(
  'the MCP tool $name returns either an error or the right result after every injected failure',
  async (tool, args) => {
    const mock = createMockServer();
    const project = mock.add.project({ key: 'APO' }).id;
    const [todo] = ['Todo', 'Done'].map((name) => mock.add.board({ project, name }).id);
    for (const title of titles) mock.add.ticket({ board: todo as string, title });
    let result: unknown;
    let cleanResult: unknown;
    const isRight: Check = ({ failures, error }) => {
      if (failures.length === 0) cleanResult = result;
      // Without the `boards:read` scope, find_tickets returns board IDs instead of names, and explains why.
      const hint = (result as { hint?: string } | undefined)?.hint ?? '';
      if (failures.some(({ kind }) => kind === 'scope_removed') && hint.includes('boards:read')) return;
      if (error === undefined) expect(result).toEqual(cleanResult);
    };
    const report = await exploreFaults(
      mock,
      async ({ client, signal }) => {
        const lookup = new Lookup(client, { signal });
        result = await tool.run(args, { client, lookup, signal, now: () => mock.clock.milliseconds() });
      },
      { check: [isRight, converges(), noUnhandledRejections()], ...limits },
    );
    expect(report).toSurvive();
  },
);
