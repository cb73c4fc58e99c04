import { describeThrown } from '../shared/describe-thrown.js';
import type { ImportReport } from './report.js';

/**
 * Thrown if an import can't continue. `cause` is the reason, and `report` contains the results so far. All
 * finished rows are in the ledger. To continue, fix the cause and run the import again.
 */
export class ImportStoppedError extends Error {
  override readonly name = 'ImportStoppedError';
  /** The results so far. */
  declare readonly report: ImportReport<unknown>;

  constructor(cause: unknown, report: ImportReport<unknown>) {
    const reason = cause instanceof Error ? cause.message : describeThrown(cause);
    super(`the import stopped after ${report.settled} ${report.settled === 1 ? 'row' : 'rows'}: ${reason}`, {
      cause,
    });
    // The report is too long to print every time the error is logged.
    Object.defineProperty(this, 'report', { value: report, enumerable: false });
  }
}
