export {
  type Book,
  type BookChange,
  type BookEntry,
  BookError,
  type BookState,
  memoryBook,
} from './book.js';
export * from './changes/index.js';
export * from './import/index.js';
export { type KeptKind, type PullOptions, type PullReport, pull } from './pull.js';
export { sqliteBook } from './sqlite-book.js';
export { controlSweeps, type Sweep } from './testing/control-sweeps.js';
export {
  type OpenSnapshot,
  type SnapshotRequirement,
  snapshotContract,
} from './testing/snapshot-contract.js';
