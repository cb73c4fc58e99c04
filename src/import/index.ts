export {
  type DocumentTargetOptions,
  documentTarget,
  type ImportDocumentsOptions,
  importDocuments,
} from './documents.js';
export type { LedgerMetadata } from './file-ledger/content.js';
export { type FileLedger, fileLedger } from './file-ledger/index.js';
export { ImportStoppedError } from './import-stop.js';
export {
  type Candidate,
  type Ledger,
  type LedgerEntry,
  LedgerError,
  type RowError,
  type RowState,
} from './ledger.js';
export { memoryLedger } from './memory-ledger.js';
export type { ImportRetry, RunImportOptions } from './options.js';
export { fingerprintOf } from './prepare-row.js';
export type {
  ImportProgress,
  ImportReport,
  ImportStatus,
  SuspectedDuplicate,
  UnresolvedRow,
} from './report.js';
export { runImport } from './run-import.js';
export type {
  ImportedRecord,
  ImportLookup,
  ImportTarget,
  LookupContext,
  MatchResult,
  RequestContext,
} from './target.js';
export {
  type ImportTicketsOptions,
  importTickets,
  type TicketTargetOptions,
  ticketTarget,
} from './tickets.js';
