import { onTestFinished } from 'vitest';
import { Worktrack } from 'worktrack';
import type { Ledger } from 'worktrack/jobs';
import { type DeploymentRequest, type Failure, startDeployment } from './deployment.js';
import { credential, type Settings } from './records.js';
import { generator, type Row } from './rows.js';

/** The connection is closed after the request has been processed. */
export const lost: Failure = { processed: true };
/** The connection is closed before the request is processed. */
export const reset: Failure = { processed: false };

/** For requests that create tickets, loses some responses and resets some connections. */
export function loseSome(seed: number, rate = 0.1) {
  const random = generator(seed);
  return async ({ operation }: DeploymentRequest): Promise<Failure | undefined> => {
    if (operation !== 'tickets.create') return undefined;
    const choice = random();
    if (choice < rate) return lost;
    return choice < 2 * rate ? reset : undefined;
  };
}

/** Starts a deployment with a board. */
export async function setUp(settings?: Partial<Settings>) {
  const deployment = await startDeployment(settings);
  onTestFinished(() => deployment.close());
  const { records } = deployment;
  const project = records.addProject('Apollo').id;
  const board = records.addBoard(project, 'To do').id;
  const client = new Worktrack({ ...deployment.client, logLevel: 'off', retry: { maxDelay: 20 } });
  const toTicket = ({ title, text }: Row) => ({
    board_id: board,
    title,
    ...(text !== undefined && { description_html: text }),
  });
  let old = new Set<string>();
  const own = () =>
    [...records.tickets.values()].filter(({ id, creator }) => !old.has(id) && creator === credential);

  return {
    deployment,
    records,
    project,
    board,
    client,
    toTicket,
    /** Treats all existing records as older than the import. */
    keepOld() {
      old = new Set(records.tickets.keys());
    },
    /** Returns the titles of the import's records, in creation order. */
    ownTitles: () => own().map(({ title }) => title),
    /** Compares the rows with the records created from those rows, and with the ledger. */
    async outcome(rows: Iterable<Row>, ledger: Ledger) {
      const differences = new Map<string, number>();
      const add = (title: string, by: number) => differences.set(title, (differences.get(title) ?? 0) + by);
      for (const { title } of rows) add(deployment.settings.cleanTitle(title), 1);
      for (const { title } of own()) add(title, -1);
      const total = (sign: 1 | -1) =>
        [...differences.values()].reduce((sum, difference) => sum + Math.max(0, sign * difference), 0);
      const found = { lost: total(1), duplicates: total(-1), assignedOld: 0, unknown: 0, failed: 0 };
      for await (const { state, recordId } of ledger.entries()) {
        if (state === 'unknown' || state === 'failed') found[state]++;
        if (state === 'done' && old.has(`${recordId}`)) found.assignedOld++;
      }
      return found;
    },
  };
}

/** Each row has exactly one record of its own, and the ledger contains the record's ID. */
export const exactlyOnce = { lost: 0, duplicates: 0, assignedOld: 0, unknown: 0, failed: 0 };
