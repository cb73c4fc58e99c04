import { ConfigurationError } from '../../src/index.js';
import { listenerCaller } from '../../src/internal.js';
import { bindBook } from './book.js';
import { RunControl } from './run-control.js';
import type { SyncSettings } from './sync-options.js';
import { type SyncReport, SyncStoppedError, SyncTally } from './sync-report.js';
import { type KnownRecords, readKnownRecords, type SyncKind } from './sync-state.js';

/** What the parts of a sync share. */
export interface SyncRun<Row> {
  kind: SyncKind;
  toPayload: (row: Row) => unknown;
  settings: SyncSettings<Row>;
  /** What the book belongs to, such as `tickets:prj_1:Jira`. */
  scope: string;
  control: RunControl;
  tally: SyncTally;
  known: KnownRecords;
  reportProgress(): void;
}

/**
 * Reads the book and the records, does a sync's work, and returns the report.
 *
 * @throws SyncStoppedError if the work fails
 * @throws BookError if the book belongs to another job
 * @throws ConfigurationError if the plan is for another sync
 */
export async function runSync<Row>(
  { kind, toPayload, settings }: Pick<SyncRun<Row>, 'kind' | 'toPayload' | 'settings'>,
  work: (run: SyncRun<Row>) => Promise<void>,
): Promise<SyncReport> {
  const scope = `${kind.name}:${settings.source}`;
  if (settings.plan && settings.plan.scope !== scope)
    throw new ConfigurationError(
      `option "plan" is for ${JSON.stringify(settings.plan.scope)}, not for ${JSON.stringify(scope)}`,
    );
  await bindBook(settings.book, scope);
  const tally = new SyncTally();
  const notify = listenerCaller('sync');
  const reportProgress = () =>
    notify('onProgress', () => settings.onProgress?.(tally.progress(control.status)));
  const control: RunControl = new RunControl({ ...settings, onWait: reportProgress });
  try {
    const known = await readKnownRecords(kind, settings, control);
    for (const [key, ids] of known.duplicates) {
      const keep = `${known.values.get(key)?.id}`;
      tally.addDuplicate({ key, keep, extra: ids.filter((id) => id !== keep) });
    }
    await work({ kind, toPayload, settings, scope, control, tally, known, reportProgress });
  } catch (error) {
    control.fail(error);
  } finally {
    control.close();
  }
  const report = tally.report(control.isStopped);
  if (control.failure) throw new SyncStoppedError(report, control.failure);
  return report;
}
