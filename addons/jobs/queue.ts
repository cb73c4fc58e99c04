// The entry point worktrack/jobs/bullmq: imports and change feeds that run on many machines.
export { type ChangeQueue, type ChangeQueueOptions, changeQueue } from './queue-changes.js';
export type { QueueConnection } from './queue-connection.js';
export * from './queue-import.js';
export { type ImportWorker, type ImportWorkerOptions, importWorker } from './queue-worker.js';
export type { RecordScope, SyncedDocument, SyncedTicket } from './records.js';
