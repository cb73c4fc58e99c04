export {
  type AddedRows,
  type AddRowsOptions,
  createImportQueue,
  type DeleteQueueOptions,
  type ImportCounts,
  type ImportQueue,
  type ReadRows,
  type ReplacedRows,
  type SuspectedDuplicate,
} from './import-queue.js';
export { createImportWorker, type ImportWorker, type ImportWorkerOptions } from './import-worker.js';
export type { ImportConnection, RowJob } from './row-job.js';
