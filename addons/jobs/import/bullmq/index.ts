export type { SuspectedDuplicate } from '../report.js';
export {
  createImportQueue,
  type DeleteQueueOptions,
  type ImportCounts,
  type ImportQueue,
} from './import-queue.js';
export { createImportWorker, type ImportWorker, type ImportWorkerOptions } from './import-worker.js';
export type { RowJob, RowSync, Successes } from './row-job.js';
export type { AddedRows, AddRowsOptions, ReadRows, ReplacedRows } from './row-reader.js';
export type { ImportConnection } from './store.js';
export type { SyncedRows, SyncRowsOptions } from './sync-rows.js';
