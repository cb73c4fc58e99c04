import type { ImportReport } from './report.js';

/**
 * Thrown if an import can't continue. `cause` is the reason, and `report` contains the results so far. The
 * ledger contains all finished rows, so you can fix the cause and run the import again to continue.
 */
export class ImportStoppedError extends Error {
  override readonly name = 'ImportStoppedError';
  /** The results so far. */
  declare readonly report: ImportReport<unknown>;

  constructor(cause: unknown, report: ImportReport<unknown>) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`the import stopped after ${report.settled} rows: ${reason}`, { cause });
    // The report is too long to print every time the error is logged.
    Object.defineProperty(this, 'report', { value: report, enumerable: false });
  }
}
