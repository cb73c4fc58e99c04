import { WorktrackError } from '../../errors/index.js';
import { afterFailedRead, type Step, type StepContext } from '../import-row.js';
import { Interrupted } from '../import-stop.js';
import type { RowError } from '../ledger.js';
import { type PreparedRow, rowError } from '../row.js';
import type { FieldValues } from '../sync/fields.js';
import type { LinkedEntry, SyncOperation } from '../sync/operation.js';
import { readRecord, syncSteps, type UpdatableTarget } from '../sync/sync-row.js';
import type { RowSync } from './store.js';

/** Returns a function that performs the next step of updating or removing the record of a job's row. */
export function jobSyncSteps<Row>(
  target: UpdatableTarget<Row>,
  row: PreparedRow<Row>,
  entry: LinkedEntry,
  sync: RowSync,
): (context: StepContext) => Promise<Step> {
  const { key, recordId } = entry;
  let steps: ReturnType<typeof syncSteps<Row>> | undefined;
  return async (context) => {
    if (steps) return steps(context);
    let values: FieldValues | undefined;
    try {
      if (!sync.remove) values = await target.updates.valuesOf(row.payload, context);
    } catch (error) {
      if (error instanceof WorktrackError || error instanceof Interrupted)
        return afterFailedRead(error, target);
      return { is: 'failed', entry: { key, state: 'failed', recordId, error: rowError(error) } };
    }
    const operation = { type: sync.remove ?? 'unchanged', key, recordId } as const;
    steps = syncSteps(
      target,
      { row, values, entry, operation, synced: undefined },
      { policy: sync, read: (_, request) => readRecord(target, recordId, request), isReviewed: false },
    );
    return steps(context);
  };
}

/** Returns the reason a synced row needs attention, or undefined if it doesn't. */
export function problemOf(operation: SyncOperation): RowError | undefined {
  if (operation.type === 'gone') return { code: 'gone', message: `record ${operation.recordId} was deleted` };
  const conflicts = ('conflicts' in operation && operation.conflicts) || [];
  if (conflicts.length === 0) return undefined;
  const fields = conflicts.map(({ field }) => field).join(', ');
  return { code: 'conflict', message: `changed in both the source and the record: ${fields}` };
}
