import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  fileSnapshot,
  memorySnapshot,
  type Snapshot,
  type SnapshotEntry,
  snapshotContract,
} from 'worktrack/jobs';
import { temporaryFolder } from '../support/temporary-folder.js';

const memory = () => {
  const snapshot = memorySnapshot();
  return () => snapshot;
};

async function file() {
  const folder = await temporaryFolder();
  return () => fileSnapshot(join(folder, 'snapshot'));
}

describe.each([
  ['memorySnapshot', memory],
  ['fileSnapshot', file],
])('%s', (_, createStore) => {
  for (const { name, check } of snapshotContract(createStore)) test(name, check);
});

/** Returns a snapshot that passes every write through a function before storing it. */
function broken(change: (entries: readonly SnapshotEntry[]) => readonly SnapshotEntry[]) {
  return () => {
    const snapshot = memorySnapshot();
    const writeBroken: Snapshot = { ...snapshot, write: (entries) => snapshot.write(change(entries)) };
    return () => writeBroken;
  };
}

async function failuresOf(createStore: Parameters<typeof snapshotContract>[0]): Promise<string[]> {
  const failures: string[] = [];
  for (const { name, check } of snapshotContract(createStore)) await check().catch(() => failures.push(name));
  return failures;
}

test.each([
  ['forgets removals', broken((entries) => entries.filter(({ value }) => value !== undefined)), 2],
  ['drops empty values', broken((entries) => entries.filter(({ value }) => value !== '')), 1],
  ['ignores scopes', broken((entries) => entries.map((one) => ({ ...one, scope: '' }))), 8],
  ['ignores case', broken((entries) => entries.map((one) => ({ ...one, id: one.id.toLowerCase() }))), 1],
  ['stores only the first entries', broken((entries) => entries.slice(0, 1000)), 1],
  ["loses everything when it's closed", () => memorySnapshot, 8],
])('snapshotContract rejects a snapshot that %s', async (_, createStore, minimum) => {
  expect((await failuresOf(createStore)).length).toBeGreaterThanOrEqual(minimum);
});
