export { fingerprintOf } from './digest-table.js';
export { ImportStoppedError } from './import-stop.js';
export { type Ledger, LedgerError } from './ledger.js';
export type { Candidate, LedgerEntry, RowError, RowState } from './ledger-entry.js';
export type { ImportRetry, RunImportOptions, RunSyncOptions, SyncOptions } from './options.js';
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
export type * from './target.js';
