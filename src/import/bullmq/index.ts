export type { ImportConnection, RowJob } from './connection.js';
export {
  type AddedRows,
  type AddRowsOptions,
  createImportQueue,
  type DeleteQueueOptions,
  type ImportCounts,
  type ImportQueue,
} from './import-queue.js';
export { createImportWorker, type ImportWorker, type ImportWorkerOptions } from './import-worker.js';
