export {
  type Book,
  type BookChange,
  type BookEntry,
  BookError,
  type BookState,
  memoryBook,
} from './book.js';
export type * from './change.js';
export { type ChangeBatch, readChanges, watchChanges } from './feed.js';
export type { ReadChangesOptions, SweepInfo, WatchChangesOptions } from './feed-options.js';
export { TooManyDeletionsError } from './feed-sweep.js';
export { importDocuments, importTickets } from './import.js';
export type { ImportDocumentsOptions, ImportOptions, ImportTicketsOptions } from './import-options.js';
export {
  type DuplicateRow,
  type ImportProgress,
  type ImportReport,
  ImportStoppedError,
  type RowError,
  type RowResult,
} from './import-report.js';
export type { LeaseOptions } from './leased-book.js';
export { type PostgresBookOptions, type PostgresPool, postgresBook } from './postgres-book.js';
export { type KeptKind, type PullOptions, type PullReport, pull } from './pull.js';
export type { RecordScope, SyncedDocument, SyncedTicket } from './records.js';
export { type RedisBookOptions, type RedisClient, redisBook } from './redis-book.js';
export type { RunStatus } from './run-control.js';
export { sqliteBook } from './sqlite-book.js';
export { planSync, syncDocuments, syncTickets } from './sync.js';
export type { ConflictPolicy } from './sync-decide.js';
export type { SyncDocumentsOptions, SyncOptions, SyncTicketsOptions } from './sync-options.js';
export {
  type ConflictRow,
  type FieldConflict,
  type ProblemRow,
  type SyncedRow,
  type SyncOperation,
  type SyncPlan,
  type SyncProgress,
  type SyncReport,
  SyncStoppedError,
  type TaskType,
} from './sync-report.js';
export { controlSweeps, type Sweep } from './testing/control-sweeps.js';
export type { Kind } from './watched-fields.js';
