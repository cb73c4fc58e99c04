import type { ImportReport } from './report.js';

/**
 * Thrown if an import can't continue. `cause` is the reason, and `report` covers everything that was done
 * before. Every row that is done is in the ledger, so fix the cause and run the import again to continue.
 */
export class ImportStoppedError extends Error {
  override readonly name = 'ImportStoppedError';
  /** The results up to the stop. */
  declare readonly report: ImportReport<unknown>;

  constructor(cause: unknown, report: ImportReport<unknown>) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`the import stopped after ${report.settled} rows: ${reason}`, { cause });
    // The report is too long to be printed whenever the error is logged.
    Object.defineProperty(this, 'report', { value: report, enumerable: false });
  }
}
