import { isDeepStrictEqual } from 'node:util';
import { NotFoundError } from '../../../../src/errors/index.js';
import { type Attempt, type AttemptContext, type AttemptResult, failureOf, retryOrStop } from '../attempt.js';
import type { Ledger } from '../ledger.js';
import { type LedgerEntry, rowError } from '../ledger-entry.js';
import { whileOwned } from '../requests.js';
import type { ImportedRecord, ImportTarget, RecordUpdates, RequestContext } from '../target.js';
import { digestOf, type FieldValues, type SyncField, syncedFields } from './fields.js';
import { isWrite, type SyncOperation, valuesAfter } from './operation.js';
import {
  decide,
  doneEntry,
  hasNews,
  type LinkedEntry,
  type SyncPolicy,
  type SyncRow,
  type SyncTask,
} from './task.js';

/** A target whose records can be updated. */
export type UpdatableTarget<Row> = ImportTarget<Row, unknown, ImportedRecord> & {
  updates: RecordUpdates<unknown, ImportedRecord>;
};

/** How a row's record is read and checked before it's written. */
export interface SyncRowOptions {
  policy: SyncPolicy;
  /**
   * Returns a record's current content, or undefined if it doesn't exist.
   *
   * @param isFirst whether nothing has been written to the record yet
   */
  read(recordId: string, context: RequestContext, isFirst: boolean): Promise<ImportedRecord | undefined>;
  /** The operation that was reviewed. It's never replaced by a different operation. */
  reviewed?: SyncOperation | undefined;
}

/**
 * Returns a function that makes the next attempt to sync a row. It reads the record, chooses the operation, and
 * writes the fields that differ. All writes are safe to retry. After a lost response, the next attempt writes
 * only the remaining fields.
 */
export function syncAttempts<Row>(
  target: UpdatableTarget<Row>,
  row: SyncRow<Row>,
  { policy, read, reviewed }: SyncRowOptions,
): Attempt {
  const entry = row.entry as LinkedEntry;
  /** The operation that the first write performs. */
  let operation: SyncOperation | undefined;
  /** Whether the server may have processed an earlier request even though its response was lost. */
  let isInDoubt = false;

  const afterFailure = async (
    error: unknown,
    task: SyncTask<Row>,
    ledger: Ledger,
  ): Promise<AttemptResult> => {
    const failure = failureOf(error, {});
    isInDoubt ||= failure.is === 'retry' && failure.inDoubt;
    // The record wasn't removed. If it's archived or deleted later, a user did it.
    if (removalOf(task.operation) && !isInDoubt) await ledger.claim(entry);
    // If the record was deleted, the retry finds that out when it reads the record again.
    if (failure.is !== 'failed' || error instanceof NotFoundError) return retryOrStop(error, {});
    const { key, recordId } = entry;
    return { is: 'failed', entry: { key, state: 'failed', recordId, error: rowError(error) } };
  };

  return async (context) => {
    const { ledger } = context;
    let record: ImportedRecord | undefined;
    try {
      record = await read(entry.recordId, context, operation === undefined);
    } catch (error) {
      return retryOrStop(error, target);
    }
    const task = decide(target.updates.fields, { ...row, entry }, record, policy);
    if (reviewed && !operation && !isDeepStrictEqual(task.operation, reviewed)) return { is: 'stale' };
    if (record && isWrite(task.operation)) {
      operation ??= task.operation;
      try {
        await write(target, task, record, context);
      } catch (error) {
        return afterFailure(error, task, ledger);
      }
      return { is: 'synced', operation: task.operation };
    }
    // If nothing is left to write after a lost response, the request performed the operation. But between two
    // attempts, a user could also change or delete the record. In that case, the record of a missing row is
    // kept.
    const isKept = !row.values && 'conflicts' in task.operation;
    const performed = isKept || task.operation.type !== 'unchanged' ? undefined : operation;
    if (performed && !row.values)
      await finishWrite(target, { ...task, operation: performed }, record, ledger);
    else await saveUnwritten(task, ledger);
    return { is: 'synced', operation: performed ?? task.operation };
  };
}

/** Performs an attempt's operation. Stores the values in the ledger before the request is sent. */
async function write<Row>(
  target: UpdatableTarget<Row>,
  task: SyncTask<Row>,
  record: ImportedRecord,
  context: AttemptContext,
): Promise<void> {
  const { updates } = target;
  const { ledger } = context;
  const entry = task.entry as LinkedEntry;
  const { operation } = task;
  const written = valuesToWrite(operation);
  const pending = Object.entries(written).map(([name, value]) => [
    name,
    digestOf(updates.fields[name] as SyncField<ImportedRecord>, value),
  ]);
  const removed = removalOf(operation) ?? entry.removed;
  await ledger.claim({ ...entry, state: 'done', removed, pending: Object.fromEntries(pending) });
  await ledger.flush();
  const updated = await whileOwned(ledger, entry.key, context, async (request) => {
    if (operation.type !== 'delete') return updates.update(record, written, request);
    await updates.delete(entry.recordId, request);
    return record;
  });
  await finishWrite(target, task, updated, ledger);
}

/** Stores the written values in the ledger. */
async function finishWrite<Row>(
  { updates }: UpdatableTarget<Row>,
  { operation, row, values, entry, next }: SyncTask<Row>,
  record: ImportedRecord | undefined,
  ledger: Ledger,
): Promise<void> {
  const { recordId, fields: known } = entry as LinkedEntry;
  const written = valuesToWrite(operation);
  const current = record && syncedFields(updates.fields, { ...values, ...written }, record);
  const fields = { ...(values ? next?.fields : known) };
  for (const name of Object.keys(written)) if (current?.[name] !== undefined) fields[name] = current[name];
  await ledger.claim(doneEntry(row, recordId, fields, removalOf(operation)));
}

/** Stores the digests of a record's fields in the ledger when nothing is written to the record. */
export async function saveUnwritten<Row>(task: SyncTask<Row>, ledger: Ledger): Promise<void> {
  if (task.next && hasNews(task)) await ledger.claim(task.next);
}

const removalOf = ({ type }: SyncOperation): LedgerEntry['removed'] =>
  type === 'delete' ? 'deleted' : type === 'archive' ? 'archived' : undefined;

function valuesToWrite(operation: SyncOperation): FieldValues {
  if (operation.type === 'archive') return { archived: true };
  return 'changes' in operation ? valuesAfter(operation) : {};
}
