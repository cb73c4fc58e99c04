import type { SyncOperation } from './sync-report.js';
import type { SyncRun } from './sync-run.js';
import { isWrite, type Task } from './sync-task.js';

/**
 * Compares tasks with the plan that was reviewed, if there is one. Returns the tasks to perform. Counts those
 * that aren't in the plan, and planned operations that no longer fit, as stale.
 */
export function reviewTasks<Row>(run: SyncRun<Row>, tasks: readonly Task[]): readonly Task[] {
  const { plan } = run.settings;
  if (!plan) return tasks;
  const planned = new Map(plan.operations.filter(isWrite).map((operation) => [operation.key, operation]));
  const accepted = tasks.filter((task) => {
    const { key, value } = task;
    const operation = planned.get(key);
    planned.delete(key);
    const problem = problemOf(run, task, operation);
    if (problem) run.tally.add('stale', { key, id: value?.id, error: { message: problem } });
    return !problem;
  });
  // If the sync was stopped, the rest of the source wasn't read.
  if (!run.control.isStopped)
    for (const { key, id } of planned.values())
      run.tally.add('stale', { key, id, error: { message: rowIsMissing } });
  return accepted;
}

const rowIsMissing = 'the row is no longer in the source';

/** Explains why a task isn't performed, or why a planned operation doesn't fit. */
function problemOf<Row>(
  { known }: SyncRun<Row>,
  task: Task,
  operation: SyncOperation | undefined,
): string | undefined {
  const { type, value, source, digest } = task;
  if (isWrite(task)) {
    if (!operation) return 'the change is not in the plan';
    const isSame = operation.type === type && operation.source === source && operation.digest === digest;
    return isSame ? undefined : 'the row or its record has changed since the plan was made';
  }
  // Conflicts, invalid rows, and deleted records are reported anyway.
  if (!operation || type !== 'unchanged') return undefined;
  if (operation.type === 'archive' || operation.type === 'delete') {
    if (source !== '') return 'the row is in the source again';
    const state = value && known.states.get(value.id);
    const isDone = !state || (operation.type === 'archive' && state.isArchived);
    return isDone ? undefined : 'the sync no longer removes the record';
  }
  if (source === '') return rowIsMissing;
  return operation.source === source ? undefined : 'the row has changed since the plan was made';
}
