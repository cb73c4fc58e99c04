export { fingerprintOf } from './digest-table.js';
export type { LedgerMetadata } from './file-ledger/content.js';
export { type FileLedger, fileLedger } from './file-ledger/index.js';
export {
  type Candidate,
  type Ledger,
  type LedgerEntry,
  LedgerError,
  type RowError,
  type RowState,
} from './ledger.js';
export { memoryLedger } from './memory-ledger.js';
export type { ImportRetry, RunImportOptions, SyncOptions } from './options.js';
export {
  type DocumentTargetOptions,
  documentTarget,
  type SyncedDocument,
  type SyncedTicket,
  type TicketTargetOptions,
  ticketTarget,
} from './record-targets.js';
export type {
  ChangedRow,
  ConflictRow,
  ImportProgress,
  ImportReport,
  ImportStatus,
  LinkedRow,
  StaleRow,
  SuspectedDuplicate,
  UnresolvedRow,
} from './report.js';
export {
  type ImportDocumentsOptions,
  type ImportTicketsOptions,
  importDocuments,
  importTickets,
  planSync,
  type RunSyncOptions,
  runImport,
  type SyncDocumentsOptions,
  type SyncPlan,
  type SyncTicketsOptions,
  syncDocuments,
  syncTickets,
} from './run.js';
export { ImportStoppedError } from './run-control.js';
export type {
  ConflictWinner,
  FieldChange,
  FieldConflict,
  FieldValues,
  SyncField,
  SyncFields,
} from './sync/fields.js';
export type {
  CreateOperation,
  NoOperation,
  RemoveOperation,
  SavedSyncPlan,
  SyncOperation,
  UpdateOperation,
} from './sync/operation.js';
export type {
  ImportedRecord,
  ImportLookup,
  ImportTarget,
  LookupContext,
  MatchResult,
  RecordUpdates,
  RequestContext,
} from './target.js';
