import { WorktrackError } from '../../../../src/errors/index.js';
import type { SeenRows } from '../digest-table.js';
import { forSync } from '../import-row.js';
import { missingInDoubt, type RowHandlers, readRows } from '../import-run.js';
import { rowError } from '../ledger-entry.js';
import { importSettings, type RunSyncOptions, type SyncSettings, syncSettings } from '../options.js';
import { type PreparedRow, rowWithoutPayload } from '../row.js';
import { RowRunner } from '../row-runner.js';
import { titleOf } from '../search.js';
import { type LinkedRecords, linkedRecords } from './linked-records.js';
import { valuesAfter } from './operation.js';
import type { UpdatableTarget } from './sync-row.js';
import { findMissing, type SyncTask, taskWithoutEntry } from './task.js';

/** The state shared by the parts of a sync. */
export interface Sync<Row> {
  settings: SyncSettings;
  /** The target that updates records. */
  target: UpdatableTarget<Row>;
  /** Its options contain a target that creates records. */
  runner: RowRunner<Row>;
  linked: LinkedRecords<Row>;
}

/**
 * @throws ConfigurationError if an option is unknown, missing, or invalid
 * @throws LedgerError if the ledger belongs to another import
 */
export async function openSync<Row>(all: RunSyncOptions<Row>): Promise<Sync<Row>> {
  const { onConflict, onGone, onMissing, maxRemovals, reviewedPlan, ...run } = all;
  const importing = importSettings(run);
  const settings = syncSettings(all);
  const target = run.target as UpdatableTarget<Row>;
  await run.ledger.bind(target.scope);
  const runner = new RowRunner({ ...run, target: forSync(target) }, importing);
  return { settings, target, runner, linked: linkedRecords(target, run.ledger, runner) };
}

/**
 * Chooses an operation for each row in the source, and for each row that is missing from it.
 *
 * @returns the keys of the rows that were read
 */
export async function chooseTasks<Row>(
  sync: Sync<Row>,
  accept: (task: SyncTask<Row>) => Promise<void>,
  failConversion: RowHandlers<Row>['failConversion'],
): Promise<SeenRows> {
  const { runner, linked } = sync;
  await linked.load();
  const seen = await readRows(runner, {
    async process(row) {
      let task: SyncTask<Row>;
      try {
        task = await chooseTask(sync, row);
      } catch (error) {
        // An API error also affects other rows, so it isn't reported as a failed conversion.
        if (error instanceof WorktrackError) throw error;
        return failConversion(row.original, row.key, error);
      }
      return accept(task);
    },
    failConversion,
    fail: (row, key, error) => accept(taskWithoutEntry({ type: 'failed', key, error }, row)),
  });
  if (!runner.stop.isStopped) await removeMissing(sync, seen, accept);
  if (!runner.stop.isStopped)
    for await (const { key, error } of missingInDoubt(runner.options.ledger, seen))
      await accept(taskWithoutEntry({ type: 'unknown', key, error }));
  return seen;
}

async function chooseTask<Row>(
  { settings, target: { updates }, runner, linked }: Sync<Row>,
  row: PreparedRow<Row>,
): Promise<SyncTask<Row>> {
  const values = await runner.read(async (context) => updates.valuesOf(row.payload, context));
  const { key } = row;
  const entry = linked.entries.get(key);
  if (!entry) {
    const operation = { type: 'create', key, title: titleOf(values), after: values } as const;
    return { row, values, operation, entry };
  }
  const task = await linked.decide({ row, values, entry }, settings);
  const { operation } = task;
  const error = 'changes' in operation ? updates.check?.(valuesAfter(operation)) : undefined;
  if (!error) return task;
  const failed = { type: 'failed', key, title: operation.title, error: rowError(error) } as const;
  return { ...taskWithoutEntry(failed), row };
}

/** Archives or deletes the records of missing rows, unless too many rows are missing. */
async function removeMissing<Row>(
  { settings, runner, linked }: Sync<Row>,
  seen: SeenRows,
  accept: (task: SyncTask<Row>) => Promise<void>,
): Promise<void> {
  const { onMissing, maxRemovals } = settings;
  if (onMissing === 'keep') return;
  const { tally } = runner;
  const entries = [...linked.entries.values()];
  const { read } = tally.counts;
  const { missing, isBlocked } = findMissing(entries, (key) => seen.has(key), { read, maxRemovals });
  if (isBlocked) tally.blockedRemovals = missing.length;
  else
    await runner.forEach(missing, async (entry) => {
      const row = rowWithoutPayload(entry.key, undefined as Row, entry.fingerprint);
      await accept(await linked.decide({ row, values: undefined, entry }, settings));
    });
}
