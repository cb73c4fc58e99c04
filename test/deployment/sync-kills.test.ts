import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import type { SyncReport } from 'worktrack/jobs';
import { temporaryFolder } from '../support/temporary-folder.js';
import type { DeploymentRequest, Failure } from './support/deployment.js';
import { changeEvery, generator, versionOf } from './support/rows.js';
import { lost, reset, setUp } from './support/set-up.js';
import type { SyncProcessOptions } from './support/sync-process.js';

const isLong = process.env.WORKTRACK_TEST_LONG === '1';
const size = isLong ? { rows: 5000, kills: 30, timeout: 900_000 } : { rows: 90, kills: 3, timeout: 120_000 };

const writes = ['tickets.create', 'tickets.update', 'tickets.move', 'tickets.delete'];

/** The expected final state of a ticket. */
interface Expected {
  title: string;
  text: string;
  board: string;
  isArchived: boolean;
  priority: string;
}

/** Starts a deployment, and returns a function that syncs a version of the source in its own process. */
async function start() {
  const setting = await setUp();
  const { deployment, records, project, board } = setting;
  const done = records.addBoard(project, 'Done').id;
  const path = join(await temporaryFolder(), 'tickets.book');
  const shared = { client: deployment.client, project, board, done, path, count: size.rows };
  let kill = () => false;
  /** Runs the sync again until a process isn't killed. */
  const sync = async (version: 0 | 1 | 2): Promise<SyncReport> => {
    const options: SyncProcessOptions = { ...shared, version };
    for (;;) {
      const child = fork(join(inject('programs'), 'sync-process.mjs'), [JSON.stringify(options)], {
        execArgv: [],
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      kill = () => child.kill('SIGKILL');
      let report = '';
      child.on('message', (message: string) => {
        report = message;
      });
      const [code] = await once(child, 'exit');
      expect([null, 0]).toContain(code);
      if (code === 0) return JSON.parse(report);
    }
  };
  return { ...setting, done, sync, kill: () => kill() };
}

type Setting = Awaited<ReturnType<typeof start>>;

const keyOf = (html: string | null): string =>
  /Imported from Old tracker: (\S+) \[/.exec(html ?? '')?.[1] ?? '';
const withoutMark = (html: string | null): string => `${html}`.replace(/<p>Imported from.*$/, '');

/** Returns the state that a sync of the third version must produce, given that people edited `r20`'s title. */
function expectedOf({ records, board, done }: Setting) {
  const rows = new Map([...versionOf(2, size.rows)].map((row) => [row.id, row]));
  const expected = new Map<string, Expected>();
  const unchanged: string[] = [];
  for (const { id, title, description_html } of records.tickets.values()) {
    const key = keyOf(description_html);
    const row = rows.get(key);
    expected.set(id, {
      title: row?.title ?? title,
      text: row?.text ?? withoutMark(description_html),
      board: row?.isDone ? done : board,
      isArchived: !row,
      priority: 'normal',
    });
    if (row && Number(key.slice(1)) % changeEvery !== 0) unchanged.push(id);
  }
  const edit = (id: string, changes: { title?: string; priority?: string }) => {
    records.updateTicket(id, changes);
    expected.set(id, { ...(expected.get(id) as Expected), ...changes });
  };
  const edited = [...records.tickets.values()].find(
    ({ description_html }) => keyOf(description_html) === 'r20',
  );
  edit(`${edited?.id}`, { title: 'Edited by Ada' });
  return { expected, unchanged, edit };
}

const actualOf = ({ records }: Setting): Map<string, Expected> =>
  new Map(
    [...records.tickets.values()].map(
      ({ id, title, description_html, board_id, archived_at, priority }) =>
        [
          id,
          {
            ...{ title, text: withoutMark(description_html), board: board_id, priority },
            isArchived: archived_at !== null,
          },
        ] as const,
    ),
  );

/** At random moments, makes requests fail, kills the process, and has people edit what the source doesn't change. */
function interfere(setting: Setting, { expected, unchanged, edit }: ReturnType<typeof expectedOf>) {
  const random = generator(7);
  const pick = (list: string[]) => `${list[Math.floor(random() * list.length)]}`;
  const live = [...expected].filter(([, { isArchived }]) => !isArchived).map(([id]) => id);
  const editSometimes = () => {
    if (random() < 0.3) edit(pick(live), { priority: random() < 0.5 ? 'high' : 'low' });
    if (random() < 0.1) edit(pick(unchanged), { title: `Edited ${Math.floor(random() * 1000)}` });
  };
  let killed = 0;
  let untilKill = 3;
  const killSometimes = () => {
    if (killed >= size.kills || --untilKill > 0) return;
    // The deployment still performs the request, so this response is lost, too.
    if (setting.kill()) killed++;
    untilKill = 2 + Math.floor(random() * 5);
  };
  setting.deployment.intercept = async ({ operation }: DeploymentRequest): Promise<Failure | undefined> => {
    editSometimes();
    const choice = random();
    if (!writes.includes(operation)) return choice < 0.02 ? { processed: false, status: 503 } : undefined;
    killSometimes();
    if (choice < 0.06) return lost;
    if (choice < 0.1) return reset;
    return choice < 0.15 ? { processed: false, status: 429, retryAfter: 0 } : undefined;
  };
  return () => killed;
}

it("a sync reaches the expected state despite SIGKILLs, lost responses, and other people's edits", {
  timeout: size.timeout,
}, async () => {
  const setting = await start();
  const { sync, deployment, records } = setting;
  expect(await sync(0)).toMatchObject({ created: size.rows });
  expect(await sync(1)).toMatchObject({ archived: 2 });
  const model = expectedOf(setting);
  const killed = interfere(setting, model);
  const report = await sync(2);
  expect(killed()).toBe(size.kills);
  expect(report).toMatchObject({ failed: 0, unknown: 0, gone: 0, stale: 0, duplicates: [] });
  expect(report.conflictRows).toMatchObject([{ key: 'r20', conflicts: [{ field: 'title' }] }]);
  expect(records.tickets.size).toBe(size.rows);
  expect(actualOf(setting)).toEqual(model.expected);

  deployment.intercept = async () => undefined;
  const before = writes.map(deployment.requests);
  expect(await sync(2)).toMatchObject({ updated: 0, created: 0, archived: 0, conflicts: 1 });
  expect(writes.map(deployment.requests)).toEqual(before);
});
