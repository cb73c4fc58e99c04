import { NotFoundError, UnprocessableError, WorktrackError } from '../../src/index.js';
import { type RowError, rowError } from './import-report.js';
import { type FieldValues, withMark } from './records.js';
import { affectsAllRecords } from './run-control.js';
import { createRecords } from './sync-create.js';
import type { FieldConflict, TaskType } from './sync-report.js';
import type { SyncRun } from './sync-run.js';
import { type AnyRecord, getRecord, rowKey, type SyncValue, stateOf } from './sync-state.js';
import {
  archivedValue,
  digestsOf,
  isCreate,
  isWrite,
  missingTask,
  pick,
  type SourceRow,
  type Task,
  updateTask,
  valuesOf,
} from './sync-task.js';

/** How often a record is read again after lost responses. */
const maxLost = 5;

/** Performs tasks, and counts the results. Creates records last, because updates can make room on boards. */
export async function performTasks<Row>(run: SyncRun<Row>, tasks: readonly Task[]): Promise<void> {
  let rest = tasks.filter((task) => !isCreate(task)).map((task) => newJob(task));
  // A full board rejects tickets until others have left it, so rejected tasks are tried again.
  for (let before = Number.POSITIVE_INFINITY; rest.length < before; ) {
    before = rest.length;
    const rejected: Job[] = [];
    await run.control.forEach(rest, async (job) => {
      if (!(await performJob(run, job))) rejected.push(job);
      run.reportProgress();
    });
    rest = run.control.isStopped ? [] : rejected;
  }
  for (const { task, error } of rest) addFailed(run, task, rowError(error));
  const created = run.control.isStopped ? [] : await createRecords(run, tasks.filter(isCreate));
  // Some records need values that a create can't set, or were created by an earlier run.
  await run.control.forEach(created, async (task) => {
    const job = newJob(task, true);
    if (!(await performJob(run, job))) addFailed(run, task, rowError(job.error));
  });
}

/** A task, and how far it got. */
interface Job {
  task: Task;
  /** What is known about the row's record. */
  value: SyncValue | undefined;
  /** What the book contains. */
  stored: SyncValue | undefined;
  /** The fields that were sent, including those whose response was lost. */
  sent: Set<string>;
  /** The fields that the server returned with their values before the write. */
  ignored: Set<string>;
  /** The removal that was sent. */
  removal?: TaskType | undefined;
  /** Whether the task was compared with the record's current state. */
  isChecked: boolean;
  /** Whether this run created the record. */
  isNew: boolean;
  error?: unknown;
}

const newJob = (task: Task, isNew = false): Job => ({
  ...{ task, value: task.value, stored: task.value, isChecked: isNew, isNew },
  ...{ sent: new Set(), ignored: new Set() },
});

/** @returns false if the API rejected the task, but may accept it later */
async function performJob<Row>(run: SyncRun<Row>, job: Job): Promise<boolean> {
  const { task, value } = job;
  const { type, key } = task;
  if (type !== 'failed' && type !== 'gone' && type !== 'unchanged' && value)
    return syncRecord(run, job, value.id);
  if (type === 'failed') addFailed(run, task, task.error);
  else if (type === 'gone') run.tally.add('gone', { key, id: value?.id });
  else await finish(run, job, task, undefined);
  return true;
}

/**
 * Reads a record, decides again what to do, and writes one step after the other until nothing is left to
 * write. After a lost response, the record shows whether the step was done.
 */
async function syncRecord<Row>(run: SyncRun<Row>, job: Job, id: string): Promise<boolean> {
  const { kind, control } = run;
  let record = await getRecord(kind, id, control);
  for (let lost = 0; ; ) {
    const task = decideAgain(run, job, record);
    if (isStale(run, job, task)) {
      run.tally.add('stale', { key: task.key, id, error: changedRecord });
      return true;
    }
    job.isChecked = true;
    if (!record || !isWrite(task)) {
      await finish(run, job, task, record);
      return true;
    }
    const before = job.value;
    try {
      record = await writeStep(run, job, task, record);
    } catch (error) {
      if (!(error instanceof WorktrackError)) throw error;
      const isLost =
        error.outcome === 'unknown' || error.outcome === 'done' || error instanceof NotFoundError;
      if (!isLost || lost++ === maxLost) return rejectStep(run, job, before, error);
      record = await getRecord(kind, id, control);
    }
  }
}

/** Whether the record has changed after a plan was made, so that the plan's operation no longer fits. */
const isStale = <Row>({ settings }: SyncRun<Row>, { task, isChecked }: Job, { digest }: Task): boolean =>
  settings.plan !== undefined && isWrite(task) && !isChecked && task.digest !== digest;

const changedRecord: RowError = { message: 'the record has changed since the plan was made' };

function decideAgain<Row>(
  { kind, settings }: SyncRun<Row>,
  { task, value }: Job,
  record: AnyRecord | undefined,
): Task {
  const { key, row } = task;
  const known = value as SyncValue;
  const state = record && stateOf(kind, record);
  if (row) return updateTask(kind, row, known, state, settings);
  const again = missingTask(key, known, state, settings);
  // `maxRemovals` counted only the removals that were planned.
  return isWrite(again) && !isWrite(task) ? task : again;
}

/** @returns false if the API may accept the task later */
async function rejectStep<Row>(
  run: SyncRun<Row>,
  job: Job,
  before: SyncValue | undefined,
  error: WorktrackError,
): Promise<boolean> {
  if (error.outcome === 'rejected' || error.outcome === 'not_sent') await remember(run, job, before);
  if (affectsAllRecords(error) && !(error instanceof NotFoundError)) throw error;
  if (error instanceof UnprocessableError) {
    job.error = error;
    return false;
  }
  addFailed(run, job.task, rowError(error));
  return true;
}

/**
 * Writes some fields, or removes the record. Before the request, the book says what was started.
 *
 * @returns the record, or undefined if it was deleted
 */
async function writeStep<Row>(
  run: SyncRun<Row>,
  job: Job,
  task: Task,
  record: AnyRecord,
): Promise<AnyRecord | undefined> {
  const { kind, control, settings } = run;
  const { key, row, type } = task;
  const { id } = record;
  const value = job.value as SyncValue;
  if (!row) job.removal = type;
  if (type === 'delete') {
    await remember(run, job, { ...value, removed: 'deleted' });
    await control.request((options) => kind.delete(id, options));
    return undefined;
  }
  const values = row ? nextValues(task, row, value) : { archived: true };
  const sent = digestsOf(kind, values);
  const fields = { ...(task.next?.fields ?? value.fields) };
  await remember(run, job, { ...value, fields, pending: { ...value.pending, ...sent } });
  if (row) for (const name of Object.keys(sent)) job.sent.add(name);
  const mark = { source: settings.source, key };
  const body = kind.htmlField in values ? withMark(kind, values, mark) : values;
  const updated = await control.request((options) => kind.update(id, body, options));
  const before = stateOf(kind, record);
  const after = stateOf(kind, updated);
  const pending = { ...value.pending };
  for (const [name, digest] of Object.entries(sent)) {
    const stored = after.digests[name] ?? digest;
    if (stored === before.digests[name] && stored !== digest) job.ignored.add(name);
    fields[name] = { sent: digest, stored };
    delete pending[name];
  }
  const { pending: _, ...rest } = value;
  job.value = { ...rest, fields, ...(Object.keys(pending).length > 0 && { pending }) };
  if (!row) job.value = archivedValue(job.value, sent.archived, after);
  return updated;
}

/** Returns the values to send in the next request. Moving a ticket is a request of its own. */
function nextValues({ writes }: Task, row: SourceRow, value: SyncValue): FieldValues {
  const names = writes.filter((name) => name !== 'board_id');
  return pick(valuesOf(row, value), names.length > 0 ? names : writes);
}

/** Stores what the book must contain, and counts what was done. */
async function finish<Row>(
  run: SyncRun<Row>,
  job: Job,
  task: Task,
  record: AnyRecord | undefined,
): Promise<void> {
  const { tally } = run;
  const { key, source, conflicts, type } = task;
  const { removal, ignored, isNew } = job;
  const id = job.value?.id;
  if (removal === 'delete' && record) job.value = { ...(job.value as SyncValue), removed: undefined };
  await remember(run, job, task.next ?? job.value);
  if (removal === 'delete' && !record) tally.counts.deleted++;
  if (removal === 'archive' && record?.archived_at) tally.counts.archived++;
  const updated = [...job.sent].filter((name) => record && !ignored.has(name) && !conflicts.includes(name));
  if (updated.length > 0 && !isNew) tally.add('updated', { key, id, fields: updated });
  if (ignored.size > 0) tally.add('ignored', { key, id, fields: [...ignored] });
  if (conflicts.length > 0) tally.add('conflicts', { key, id, conflicts: conflictsOf(run, task, record) });
  if (type === 'gone' || type === 'recreate') tally.add('gone', { key, id });
  else if (source !== '' && updated.length + conflicts.length === 0 && !isNew) tally.counts.unchanged++;
}

function conflictsOf<Row>(
  { kind }: SyncRun<Row>,
  { row, value, conflicts }: Task,
  record: AnyRecord | undefined,
): FieldConflict[] {
  const values = row && value ? valuesOf(row, value) : {};
  return conflicts.map((field) => ({
    field,
    source: values[field],
    target: record && kind.fields.get(field)?.read(record),
  }));
}

/** Stores what is known about a row's record in the book, unless the book contains it. */
async function remember<Row>(
  { settings }: SyncRun<Row>,
  job: Job,
  value: SyncValue | undefined,
): Promise<void> {
  job.value = value;
  if (!value || JSON.stringify(value) === JSON.stringify(job.stored)) return;
  await settings.book.put([{ key: rowKey(job.task.key), state: 'done', value }]);
  job.stored = value;
}

const addFailed = <Row>({ tally }: SyncRun<Row>, { key, value }: Task, error: RowError = { message: '' }) =>
  tally.add('failed', { key, id: value?.id, error });
