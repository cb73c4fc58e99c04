import { ImportStoppedError, type RowResult } from './import-report.js';
import { ImportRun } from './import-run.js';
import type { SyncRun } from './sync-run.js';
import { type AnyRecord, rowKey, type SyncKind, type SyncValue } from './sync-state.js';
import { digestsOf, type SourceRow, type Task } from './sync-task.js';

/**
 * Imports the rows that have no record, so that each gets exactly one.
 *
 * @returns tasks that compare the records with their rows again, if they may differ
 */
export async function createRecords<Row>(run: SyncRun<Row>, tasks: readonly Task[]): Promise<Task[]> {
  if (tasks.length === 0) return [];
  const { kind, settings, tally, control } = run;
  const { client, source, book, concurrency, settleDelay, maxOutage, signal } = settings;
  // The book must forget the records that no longer exist.
  const gone = tasks.filter(({ type }) => type === 'recreate').map(({ key }) => rowKey(key));
  await book.put(gone.map((key) => ({ key, state: 'removed' })));
  const found = new Map<string, RowResult<Task>>();
  const onRow = (result: RowResult<Task>) => {
    const { key, id, state, error = { message: 'the import was interrupted' } } = result;
    // Rows of earlier runs that are no longer in the source have been counted already.
    if (!result.row) return;
    if (state === 'failed' || state === 'unknown') tally.add(state, { key, id, error });
    else {
      tally.counts.created++;
      found.set(key, result);
    }
    run.reportProgress();
  };
  const toPayload = ({ row }: Task) => row?.payload as object;
  const key = (task: Task) => task.key;
  try {
    const { duplicates } = await new ImportRun<Task, object, AnyRecord>(kind, toPayload, {
      ...{ client, source, book, concurrency, settleDelay, maxOutage, signal },
      ...{ rows: tasks, key, mark: true, onRow },
    }).run();
    for (const duplicate of duplicates) tally.addDuplicate(duplicate);
  } catch (error) {
    if (!(error instanceof ImportStoppedError)) throw error;
    control.fail(error.cause);
  }
  return compareAgain(run, tasks, found);
}

async function compareAgain<Row>(
  { kind, settings, tally }: SyncRun<Row>,
  tasks: readonly Task[],
  found: ReadonlyMap<string, RowResult<Task>>,
): Promise<Task[]> {
  const entries = await settings.book.get([...found.keys()].map(rowKey));
  return tasks.flatMap((task) => {
    const { key, row } = task;
    const value = entries.get(rowKey(key))?.value as SyncValue | undefined;
    const result = found.get(key);
    if (!row || !value || !result) return [];
    const fields = ignoredFields(kind, row, value);
    if (fields.length > 0) tally.add('ignored', { key, id: value.id, fields });
    // A create can't archive a record, and a record of an earlier run may have other content.
    const mayDiffer = result.state === 'recovered' || row.values.archived === true;
    return mayDiffer ? [{ ...task, type: 'update', value }] : [];
  });
}

/** Returns the fields that have their defaults, although the row sets other values. */
function ignoredFields(kind: SyncKind, { values }: SourceRow, { fields = {} }: SyncValue): string[] {
  return Object.keys(digestsOf(kind, values)).filter((name) => {
    const written = fields[name];
    const isDefault = defaults.some((value) => kind.fields.get(name)?.digest(value) === written?.stored);
    return name !== 'archived' && isDefault && written?.sent !== written?.stored;
  });
}

/** What servers return for fields that a create didn't set. */
const defaults = [undefined, null, [], 'normal', 'draft'];
