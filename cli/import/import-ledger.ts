import { fileLedger, type Ledger, LedgerError } from '../../src/import/index.js';
import { describeFileError } from '../files.js';
import { UsageError } from '../usage-error.js';
import type { ImportFlags, ImportPlan } from './plan.js';

/** The ledger file of an import. */
export const ledgerPath = ({ source }: ImportPlan, { ledger, project }: ImportFlags): string =>
  ledger ?? `${source.file}.${project}.ledger`;

/** @throws UsageError if the ledger can't be opened, or contains an import that isn't to be resumed */
export async function openLedger(plan: ImportPlan, flags: ImportFlags): Promise<Ledger> {
  const path = ledgerPath(plan, flags);
  const ledger = await fileLedger(path).catch((error) => {
    throw new UsageError(
      error instanceof LedgerError
        ? error.message
        : `could not open the ledger ${path}: ${describeFileError(error)}`,
    );
  });
  if (flags.resume) return ledger;
  for await (const _ of ledger.entries()) {
    await ledger.close();
    throw new UsageError(`${path} contains an earlier import; pass --resume to continue it`);
  }
  return ledger;
}
