import type { ImportReport } from './report.js';

/**
 * An import can't go on. Its `cause` says why, `report` what was done before. Every row that was done is in
 * the ledger: remove the cause and run the import again to continue.
 */
export class ImportStoppedError extends Error {
  override readonly name = 'ImportStoppedError';
  /** What was done before. */
  declare readonly report: ImportReport<unknown>;

  constructor(cause: unknown, report: ImportReport<unknown>) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`the import stopped after ${report.settled} rows: ${reason}`, { cause });
    // Too long to be printed wherever the error is logged.
    Object.defineProperty(this, 'report', { value: report, enumerable: false });
  }
}
