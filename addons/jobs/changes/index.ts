export type * from './change.js';
export { changesBy } from './changes-by.js';
export { fileSnapshot } from './file-snapshot.js';
export type { ReadChangesOptions, SweepInfo, WatchChangesOptions } from './options.js';
export type { Kind } from './records.js';
export { memorySnapshot, type Snapshot, type SnapshotEntry, SnapshotError } from './snapshot.js';
export { TooManyDeletionsError } from './sweep.js';
export { type ChangeBatch, readChanges, watchChanges } from './watch.js';
