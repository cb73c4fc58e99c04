import type { Snapshot, SnapshotEntry } from '../changes/index.js';

/** A requirement that a `Snapshot` implementation must meet. */
export interface SnapshotRequirement {
  /** The expected behavior, for use as a test's title. */
  name: string;
  /** If the implementation doesn't meet the requirement, rejects with an error that shows the difference. */
  check(): Promise<void>;
}

/**
 * Returns tests for a custom implementation of `Snapshot` from `worktrack/jobs`. They work with any test
 * runner.
 *
 * @param createStore creates a new, empty store and returns a function that opens a snapshot in the store
 *
 * @example
 * ```ts
 * for (const { name, check } of snapshotContract(async () => {
 *   const database = await createTestDatabase();
 *   return () => databaseSnapshot(database);
 * })) {
 *   test(name, check);
 * }
 * ```
 */
export function snapshotContract(
  createStore: () => OpenSnapshot | Promise<OpenSnapshot>,
): SnapshotRequirement[] {
  return requirements.map(([name, run]) => ({
    name,
    async check() {
      const open = await createStore();
      let snapshot = await open();
      const store: Store = {
        write: (...entries) => snapshot.write(entries),
        async expect(...entries) {
          expectSame(await snapshot.read(), entries);
          await snapshot.close();
          // After it's reopened, the snapshot must contain the same entries.
          snapshot = await open();
          expectSame(await snapshot.read(), entries);
        },
      };
      try {
        await run(store);
      } finally {
        await snapshot.close();
      }
    },
  }));
}

/** Opens a snapshot of a store. The tests call it again after they have closed the previous snapshot. */
export type OpenSnapshot = () => Snapshot | Promise<Snapshot>;

interface Store {
  write(...entries: SnapshotEntry[]): Promise<void>;
  /** Asserts that the snapshot contains exactly the given entries, both before and after it's reopened. */
  expect(...entries: SnapshotEntry[]): Promise<void>;
}

const entry = (id: string, value: string | undefined = 'x', scope = 'ticket:prj_1'): SnapshotEntry => ({
  scope,
  id,
  value,
});

const requirements: [name: string, run: (store: Store) => Promise<void>][] = [
  ['a new snapshot is empty', async (store) => store.expect()],
  [
    'entries are added',
    async (store) => {
      await store.write(entry('a'), entry('b'));
      await store.write(entry('c'));
      await store.expect(entry('a'), entry('b'), entry('c'));
    },
  ],
  [
    'an entry replaces an earlier entry with the same scope and ID',
    async (store) => {
      await store.write(entry('a', '1'), entry('b', '1'));
      await store.write(entry('a', '2'));
      await store.expect(entry('a', '2'), entry('b', '1'));
    },
  ],
  [
    'an entry without a value removes the entry with the same scope and ID',
    async (store) => {
      await store.write(entry('a'), entry('b'), entry('a', 'x', 'board:prj_1'));
      await store.write({ ...entry('a'), value: undefined });
      await store.expect(entry('b'), entry('a', 'x', 'board:prj_1'));
    },
  ],
  [
    'removing an entry that does not exist has no effect',
    async (store) => {
      await store.write({ ...entry('a'), value: undefined });
      await store.expect();
    },
  ],
  [
    'if a write contains several entries with the same scope and ID, the last one applies',
    async (store) => {
      await store.write(
        entry('a', '1'),
        entry('b', '1'),
        { ...entry('b'), value: undefined },
        entry('a', '2'),
      );
      await store.expect(entry('a', '2'));
    },
  ],
  [
    'the ID and the value can be empty',
    async (store) => {
      await store.write(entry('', ''), entry('', '', 'document'));
      await store.expect(entry('', ''), entry('', '', 'document'));
    },
  ],
  [
    'IDs are case-sensitive and can contain any character',
    async (store) => {
      const value = '{"title":"\\u0000 \'quotes\' \\n Ünïcödé 🚀"}\n';
      await store.write(entry('a', value), entry('A', `${value} `));
      await store.expect(entry('a', value), entry('A', `${value} `));
    },
  ],
  [
    "a write with no entries doesn't change anything",
    async (store) => {
      await store.write(entry('a'));
      await store.write();
      await store.expect(entry('a'));
    },
  ],
  [
    'a write can contain 10,000 entries',
    async (store) => {
      const entries = Array.from({ length: 10_000 }, (_, index) => entry(`tkt_${index}`, `0 {"n":${index}}`));
      await store.write(...entries);
      await store.expect(...entries);
    },
  ],
];

function expectSame(actual: Iterable<Readonly<SnapshotEntry>>, expected: readonly SnapshotEntry[]): void {
  const [found, wanted] = [sorted(actual).join('\n'), sorted(expected).join('\n')];
  if (found !== wanted) throw new Error(`Expected the entries\n${wanted}\nbut found\n${found}`);
}

const sorted = (entries: Iterable<Readonly<SnapshotEntry>>): string[] =>
  [...entries].map(({ scope, id, value }) => JSON.stringify([scope, id, value])).sort();
