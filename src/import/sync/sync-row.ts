import { isDeepStrictEqual } from 'node:util';
import { unlessMissing } from '../../errors/expected-errors.js';
import { NotFoundError } from '../../errors/index.js';
import { afterFailedRead, type Step } from '../import-row.js';
import type { Ledger, LedgerEntry } from '../ledger.js';
import type { StepContext } from '../lookup.js';
import { whileOwned } from '../requests.js';
import { classifyError, rowError } from '../row.js';
import type { ImportedRecord, ImportTarget, RecordUpdates, RequestContext } from '../target.js';
import { digestOf, type FieldValues, type SyncField, syncedFields } from './fields.js';
import {
  decide,
  decideRemoval,
  isWrite,
  type LinkedEntry,
  type RemoveOperation,
  type SyncOperation,
  type SyncPolicy,
  type SyncTask,
  valuesAfter,
} from './operation.js';

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
  /** Whether the operation was reviewed. A reviewed operation is never replaced by a different operation. */
  isReviewed: boolean;
}

/**
 * Returns a function that performs a row's next step. It reads the record, chooses the operation again, and
 * writes the fields that differ. All writes are safe to retry. After a lost response, the next step writes
 * only the remaining fields.
 */
export function syncSteps<Row>(
  target: UpdatableTarget<Row>,
  planned: SyncTask<Row>,
  { policy, read, isReviewed }: SyncRowOptions,
): (context: StepContext) => Promise<Step> {
  let isFirst = true;
  /** Whether the server may have processed an earlier request even though its response was lost. */
  let isInDoubt = false;
  const { row, values, operation } = planned;
  const entry = planned.entry as LinkedEntry;
  const { recordId } = entry;
  const { fields } = target.updates;

  const afterFailure = async (error: unknown, task: SyncTask<Row>, ledger: Ledger): Promise<Step> => {
    const step = afterFailedWrite(error, entry);
    isInDoubt ||= ['inDoubt', 'performed'].includes(classifyError(error, {}));
    // The record wasn't removed. If it's archived or deleted later, a user did it.
    if (removalOf(task.operation) && !isInDoubt) await ledger.claim(entry);
    return step;
  };

  return async (context) => {
    let record: ImportedRecord | undefined;
    try {
      record = await read(recordId, context, isFirst);
    } catch (error) {
      return afterFailedRead(error, target);
    }
    const task: SyncTask<Row> = values
      ? decide(fields, row, values, entry, record, policy)
      : decideRemoval(fields, entry, record, operation.type as RemoveOperation['type'], policy);
    if (isReviewed && isFirst && !isDeepStrictEqual(task.operation, operation)) return { is: 'stale' };
    if (isWrite(task.operation) && record && task.operation.type !== 'recreate') {
      isFirst = false;
      try {
        await write(target, task, record, context);
      } catch (error) {
        return afterFailure(error, task, context.ledger);
      }
      return { is: 'synced', operation: task.operation };
    }
    // Between two attempts, a user could change the record of a missing row. In that case, the record is
    // kept.
    const isKept = !values && 'conflicts' in task.operation;
    if (isFirst || isKept) await saveUnwritten(task, context.ledger);
    else await finishWrite(target, { ...task, operation }, record, context.ledger);
    return { is: 'synced', operation: isFirst || isKept ? task.operation : operation };
  };
}

/** Reads a record. Returns undefined if it doesn't exist. */
export function readRecord<Row>(
  { updates }: UpdatableTarget<Row>,
  recordId: string,
  context: RequestContext,
): Promise<ImportedRecord | undefined> {
  return unlessMissing(updates.get(recordId, context));
}

/** Performs a step's operation. Stores the values in the ledger before the request is sent. */
async function write<Row>(
  target: UpdatableTarget<Row>,
  task: SyncTask<Row>,
  record: ImportedRecord,
  context: StepContext,
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
  { operation, row, values, entry, synced }: SyncTask<Row>,
  record: ImportedRecord | undefined,
  ledger: Ledger,
): Promise<void> {
  const { key, recordId, fields: known } = entry as LinkedEntry;
  const removed = removalOf(operation);
  const written = valuesToWrite(operation);
  const current = record && syncedFields(updates.fields, { ...values, ...written }, record);
  const isRow = values !== undefined;
  const fields = { ...(isRow ? synced : known) };
  for (const name of Object.keys(written)) if (current?.[name] !== undefined) fields[name] = current[name];
  const { fingerprint } = row;
  await ledger.claim({ key, state: 'done', recordId, fingerprint, fields, ...(removed && { removed }) });
}

/** Stores the digests of a record's fields in the ledger when nothing is written to the record. */
export async function saveUnwritten<Row>(task: SyncTask<Row>, ledger: Ledger): Promise<void> {
  const { row, entry, synced, removed } = task;
  if (!entry || !hasNews(task)) return;
  const { key, recordId, fields } = entry;
  const { fingerprint } = row;
  const result = { fields: synced ?? fields, ...(removed && { removed }) };
  await ledger.claim({ key, state: 'done', recordId, fingerprint, ...result });
}

/** Returns whether the ledger must be updated even though nothing is written to the record. */
export function hasNews<Row>({ row, entry, synced, removed }: SyncTask<Row>): boolean {
  if (!entry || !(synced || removed)) return false;
  if (entry.pending !== undefined || entry.removed !== removed) return true;
  return (
    synced !== undefined &&
    !(entry.fingerprint === row.fingerprint && isDeepStrictEqual(synced, { ...entry.fields }))
  );
}

const removalOf = ({ type }: SyncOperation): LedgerEntry['removed'] =>
  type === 'delete' ? 'deleted' : type === 'archive' ? 'archived' : undefined;

function valuesToWrite(operation: SyncOperation): FieldValues {
  if (operation.type === 'archive') return { archived: true };
  return 'changes' in operation ? valuesAfter(operation) : {};
}

function afterFailedWrite(error: unknown, { key, recordId }: LinkedEntry): Step {
  // If the record was deleted, the retry finds that out when it reads the record again.
  if (!(error instanceof NotFoundError) && classifyError(error, {}) === 'failed')
    return { is: 'failed', entry: { key, state: 'failed', recordId, error: rowError(error) } };
  return afterFailedRead(error, {});
}
