import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { fileLedger, type Ledger, syncTickets } from 'worktrack/jobs';
import { isLong, queueName, reachable, startBackend } from '../import/backends.js';
import { openQueue } from '../import/set-up-import.js';
import type { DeploymentRequest, Failure } from './support/deployment.js';
import { keepRunning, startProcess } from './support/processes.js';
import { changeEvery, generator, type Row, versionOf } from './support/rows.js';
import { lost, newLedgerPath, reset, setUp } from './support/set-up.js';

const size = isLong ? { rows: 5000, kills: 30, timeout: 900_000 } : { rows: 90, kills: 2, timeout: 120_000 };

const backends = isLong ? (['redis', 'postgres'] as const) : (['redis'] as const);

const key = ({ id }: Row) => id;
const writes = ['tickets.create', 'tickets.update', 'tickets.move', 'tickets.delete'];

/** Starts a deployment with a board for finished tickets. */
async function setUpSync() {
  const setting = await setUp();
  const { records, project, board, client } = setting;
  const done = records.addBoard(project, 'Done').id;
  const toTicket = ({ title, text, isDone }: Row) => ({
    board_id: isDone ? done : board,
    title,
    description_html: text,
  });
  /** Syncs the first two versions of the source. */
  const syncTwice = async (ledger: Ledger) => {
    for (const version of [0, 1] as const) {
      const rows = versionOf(version, size.rows);
      await syncTickets<Row>({ client, project, toTicket, rows, key, ledger, onMissing: 'archive' });
    }
  };
  return { ...setting, done, syncTwice };
}

type Setting = Awaited<ReturnType<typeof setUpSync>>;

/** The expected final state of a ticket. */
interface Expected {
  title: string;
  text: string | undefined;
  board: string;
  isArchived: boolean;
  priority: string;
}

/**
 * Has people edit tickets, including one edit that conflicts with the source. Returns the result that the
 * sync must produce.
 */
async function expectedAfter(setting: Setting, ledger: Ledger) {
  const { records, board, done } = setting;
  const rows = new Map([...versionOf(2, size.rows)].map((row) => [row.id, row]));
  const expected = new Map<string, Expected>();
  const unchanged: string[] = [];
  for await (const entry of ledger.entries('done')) {
    const id = `${entry.recordId}`;
    const row = rows.get(entry.key);
    const ticket = records.tickets.get(id);
    expected.set(id, {
      title: row?.title ?? `${ticket?.title}`,
      text: row ? row.text : `${ticket?.description_html}`,
      board: row?.isDone ? done : board,
      isArchived: !row,
      priority: 'normal',
    });
    if (row && Number(entry.key.slice(1)) % changeEvery !== 0) unchanged.push(id);
    if (entry.key === 'r20') {
      records.updateTicket(id, { title: 'Edited by Ada' });
      expected.set(id, { ...(expected.get(id) as Expected), title: 'Edited by Ada' });
    }
  }
  const edit = (id: string, changes: { title?: string; priority?: string }) => {
    records.updateTicket(id, changes);
    expected.set(id, { ...(expected.get(id) as Expected), ...changes });
  };
  return { expected, unchanged, edit };
}

/**
 * At random moments, makes requests fail, kills the process, and has people edit fields that the source doesn't
 * change.
 *
 * @returns a function that returns the number of kills
 */
function interfere(
  { deployment }: Setting,
  { expected, unchanged, edit }: Awaited<ReturnType<typeof expectedAfter>>,
  random: () => number,
  kill: () => boolean | undefined,
): () => number {
  let killed = 0;
  let untilKill = 3;
  const killSometimes = () => {
    if (killed >= size.kills || --untilKill > 0) return;
    // The deployment still performs the request, so this response is lost, too.
    if (kill()) killed++;
    untilKill = 2 + Math.floor(random() * 5);
  };
  const ids = [...expected].filter(([, { isArchived }]) => !isArchived).map(([id]) => id);
  deployment.intercept = async ({ operation }: DeploymentRequest): Promise<Failure | undefined> => {
    const pick = (list: string[]) => `${list[Math.floor(random() * list.length)]}`;
    if (random() < 0.3) edit(pick(ids), { priority: random() < 0.5 ? 'high' : 'low' });
    if (random() < 0.1) edit(pick(unchanged), { title: `Edited ${Math.floor(random() * 1000)}` });
    const choice = random();
    if (!writes.includes(operation)) return choice < 0.02 ? { processed: false, status: 503 } : undefined;
    killSometimes();
    if (choice < 0.06) return lost;
    if (choice < 0.1) return reset;
    return choice < 0.15 ? { processed: false, status: 429, retryAfter: 0 } : undefined;
  };
  return () => killed;
}

function actual({ records }: Setting): Map<string, Expected> {
  const found = [...records.tickets.values()].map(
    ({ id, title, description_html, board_id, archived_at, priority }) =>
      [
        id,
        { title, text: `${description_html}`, board: board_id, isArchived: archived_at !== null, priority },
      ] as const,
  );
  return new Map(found);
}

describe('a sync with a deployment', { timeout: size.timeout }, () => {
  it("reaches the expected state with a file ledger despite kills, lost responses, and other users' edits", async () => {
    const setting = await setUpSync();
    const { syncTwice, deployment, project, board, done } = setting;
    const path = await newLedgerPath();
    const ledger = await fileLedger(path);
    await syncTwice(ledger);
    const model = await expectedAfter(setting, ledger);
    await ledger.close();

    let child: ReturnType<typeof startProcess> | undefined;
    const killed = interfere(setting, model, generator(7), () => child?.kill('SIGKILL'));
    const options = { client: deployment.client, project, board, done, ledger: path, count: size.rows };
    for (let code: number | null = null; code === null; ) {
      child = startProcess({ ...options, concurrency: 4 });
      [code] = await once(child, 'exit');
      expect([null, 0]).toContain(code);
    }
    expect(killed()).toBe(size.kills);
    expect(actual(setting)).toEqual(model.expected);
  });

  it.for(backends)(
    "reaches the expected state with two BullMQ workers on %s despite kills, lost responses, and other users' edits",
    async (name, { skip }) => {
      skip(!reachable[name], `${name} is not available on this machine`);
      const setting = await setUpSync();
      const { deployment, project, board, done } = setting;
      const { options } = await startBackend(name);
      const queue = await openQueue<Row>({ name: queueName(), ...options });
      const process = { client: deployment.client, project, board, done, concurrency: 4 };
      const workers = keepRunning(2, { ...process, queue: { name: queue.bullmq.name, ...options } });
      for (const version of [0, 1] as const)
        await queue.sync(versionOf(version, size.rows), { key, onMissing: 'archive' });
      const model = await expectedAfter(setting, queue.ledger);

      const random = generator(9);
      const killed = interfere(setting, model, random, () => workers.pick(random())?.kill('SIGKILL'));
      await queue.sync(versionOf(2, size.rows), { key, onMissing: 'archive' });
      expect(killed()).toBe(size.kills);
      expect(actual(setting)).toEqual(model.expected);
    },
  );
});
