export { type ChangeQueue, type EnqueueChangesOptions, enqueueChanges } from './enqueue-changes.js';
