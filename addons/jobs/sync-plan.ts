import { isNonEmptyString, isObject } from '../../src/internal.js';
import { type RowError, rowError } from './import-report.js';
import { digestOfJson } from './records.js';
import { Interrupted } from './run-control.js';
import type { SyncOperation, SyncPlan, TaskType } from './sync-report.js';
import type { SyncRun } from './sync-run.js';
import { getRecord, type SyncValue, stateOf } from './sync-state.js';
import {
  createTask,
  failedTask,
  isCreate,
  isSettled,
  missingTask,
  pick,
  type SourceRow,
  settledTask,
  type Task,
  updateTask,
  valuesOf,
} from './sync-task.js';

/** Decides what to do with each row, and with each record whose row is missing. Writes nothing. */
export async function planTasks<Row>(run: SyncRun<Row>): Promise<Task[]> {
  const { settings, control, tally, known } = run;
  const tasks: Task[] = [];
  const seen = new Set<string>();
  await control.forEach(settings.rows, async (row, index) => {
    tally.counts.read++;
    const key: unknown = settings.key(row, index);
    if (!isNonEmptyString(key)) throw new TypeError(`the key of row ${index} must be a non-empty string`);
    const isRepeated = seen.has(key);
    seen.add(key);
    tasks.push(isRepeated ? failedTask(key, repeatedKey) : await planRow(run, key, row));
    run.reportProgress();
  });
  // If the source wasn't read to its end, no row counts as missing.
  if (control.isStopped) return tasks;
  for (const task of await planMissing(run, seen)) tasks.push(task);
  for (const key of known.inDoubt) if (!seen.has(key)) tally.add('unknown', { key, error: noLongerInSource });
  return tasks;
}

const repeatedKey: RowError = { message: 'an earlier row has the same key', code: 'duplicate_key' };
const noLongerInSource: RowError = {
  message: 'its record may exist, but the row is no longer in the source',
};

async function planRow<Row>(run: SyncRun<Row>, key: string, row: Row): Promise<Task> {
  const { kind, control, known } = run;
  const value = known.values.get(key);
  let payload: unknown;
  let digest: string;
  try {
    payload = await control.unlessStopped(run.toPayload(row));
    if (!isObject(payload))
      throw new TypeError(`the row must be converted to an object (got ${String(payload)})`);
    digest = digestOfJson(payload);
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    return failedTask(key, rowError(error));
  }
  if (value && known.states.has(value.id) && isSettled(payload, digest, value))
    return settledTask(key, value, digest);
  try {
    const values = await control.request((options) => kind.valuesOf(payload, options), true);
    return checkTask(run, await planUpdate(run, { key, payload, values, digest }, value));
  } catch (error) {
    // Other errors, such as a rejected credential, affect all rows.
    if (!isObject(error) || !('fieldErrors' in error)) throw error;
    return failedTask(key, rowError(error));
  }
}

async function planUpdate<Row>(
  { kind, control, known, settings }: SyncRun<Row>,
  row: SourceRow,
  value: SyncValue | undefined,
): Promise<Task> {
  if (!value) return createTask(row);
  let state = known.states.get(value.id);
  const names = Object.keys(row.values).filter((name) => kind.fields.has(name));
  if (!state || names.some((name) => state?.digests[name] === undefined)) {
    // The server may not list archived records, or leave some fields out of lists.
    const record = await getRecord(kind, value.id, control);
    state = record && stateOf(kind, record);
  }
  return updateTask(kind, row, value, state, settings);
}

/** Returns a failed task instead if the server would reject the values. */
function checkTask<Row>({ kind }: SyncRun<Row>, task: Task): Task {
  const { type, key, row } = task;
  if (!row || type === 'gone' || type === 'unchanged') return task;
  const written = isCreate(task) ? row.values : pick(row.values, task.writes);
  const error = kind.check(written);
  if (error) return failedTask(key, rowError(error));
  if (isCreate(task) && row.values.title === undefined) return failedTask(key, noTitle);
  return task;
}

const noTitle: RowError = { message: 'title is required', fieldErrors: { title: ['is required'] } };

/** Decides what to do with the records whose rows are missing, unless too many would be removed. */
async function planMissing<Row>(
  { kind, control, known, settings, tally }: SyncRun<Row>,
  seen: ReadonlySet<string>,
): Promise<Task[]> {
  const tasks: Task[] = [];
  const states = [...known.values.values()].map(({ id }) => known.states.get(id));
  const live = states.filter((state) => state && !state.isArchived).length;
  const missing = [...known.values].filter(([key]) => !seen.has(key));
  await control.forEach(missing, async ([key, value]) => {
    const task = missingTask(key, value, known.states.get(value.id), settings);
    if (task.type !== 'conflict') return void tasks.push(task);
    // Lists may contain shortened values, so the record itself decides whether it would be removed.
    const record = await getRecord(kind, value.id, control);
    tasks.push(missingTask(key, value, record && stateOf(kind, record), settings));
  });
  const isRemoval = ({ type }: Task) => type === 'archive' || type === 'delete';
  const removals = tasks.filter(isRemoval).length;
  const { maxRemovals = Math.max(10, Math.floor(live / 10)) } = settings;
  if (removals <= maxRemovals && tally.counts.read > 0) return tasks;
  tally.blockedRemovals = removals;
  return tasks.filter((task) => !isRemoval(task));
}

/** Describes tasks with the values before and after. Reads the records that will be written. */
export async function describeTasks<Row>(run: SyncRun<Row>, tasks: readonly Task[]): Promise<SyncPlan> {
  const counts: Record<TaskType, number> = {
    ...{ create: 0, recreate: 0, update: 0, archive: 0, delete: 0 },
    ...{ conflict: 0, gone: 0, failed: 0, unchanged: 0 },
  };
  const operations: SyncOperation[] = [];
  await run.control.forEach(tasks, async (task) => {
    counts[task.type]++;
    if (task.type !== 'unchanged') operations.push(await describeTask(run, task, task.type));
  });
  const { scope, tally } = run;
  return { version: 1, scope, counts, blockedRemovals: tally.blockedRemovals, operations };
}

async function describeTask<Row>(
  { kind, control }: SyncRun<Row>,
  task: Task,
  type: SyncOperation['type'],
): Promise<SyncOperation> {
  const { key, row, value, writes, conflicts, error, source, digest } = task;
  const isNew = isCreate(task);
  const record = value && type !== 'gone' && !isNew ? await getRecord(kind, value.id, control) : undefined;
  const values = row ? (value ? valuesOf(row, value) : row.values) : {};
  const current = (name: string) => record && kind.fields.get(name)?.read(record);
  const names = isNew ? Object.keys(values) : writes;
  const change = (name: string) =>
    isNew ? { after: values[name] } : { before: current(name), after: values[name] };
  return {
    type,
    key,
    id: value?.id,
    title: (values.title as string | undefined) ?? record?.title,
    changes: Object.fromEntries(names.map((name) => [name, change(name)])),
    conflicts: conflicts.map((field) => ({ field, source: values[field], target: current(field) })),
    ...(error && { error }),
    source,
    digest,
  };
}
