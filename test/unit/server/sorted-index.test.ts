import { expect, test } from 'vitest';
import { Random } from '../../../mock-server/state/ids.js';
import { Epoch } from '../../../mock-server/store/epoch.js';
import { SortedIndex } from '../../../mock-server/store/sorted-index.js';

// Items with equal ranks are sorted by number.
const rankOf = (item: number) => (item * 7919) % 100;
const inOrder = (items: Iterable<number>) => [...items].sort((a, b) => rankOf(a) - rankOf(b) || a - b);

type Lists = Map<string, Set<number>>;
const copyOf = (lists: Lists): Lists => new Map([...lists].map(([key, items]) => [key, new Set(items)]));

function expectEqual(index: SortedIndex, lists: Lists): void {
  for (const [key, items] of lists) {
    const expected = inOrder(items);
    expect(index.length(key)).toBe(expected.length);
    expect(index.slice(key)).toEqual(expected);
    expect(index.slice(key, 500, 20)).toEqual(expected.slice(500, 520));
    for (const limit of [0, 1, 50, 99, 100]) {
      expect(index.countBelow(key, limit)).toBe(expected.filter((item) => rankOf(item) < limit).length);
    }
  }
}

test('a list without records is empty even if other lists contain records', () => {
  const index = new SortedIndex(new Epoch(), rankOf);
  index.add('a', 1);

  expect([index.length('b'), index.slice('b'), index.countBelow('b', 1000)]).toEqual([0, [], 0]);
});

test('a sorted index behaves like sorted arrays across random changes and restores', () => {
  const random = new Random('sorted index');
  const below = (limit: number) => Math.floor(random.next() * limit);
  const epoch = new Epoch();
  const index = new SortedIndex(epoch, rankOf);
  let lists: Lists = new Map([
    ['a', new Set()],
    ['b', new Set()],
  ]);
  const snapshots: { captured: unknown; lists: Lists }[] = [];

  for (let step = 0; step < 12_000; step += 1) {
    // Each list grows beyond several chunks and then shrinks until it's almost empty.
    const growing = step % 6000 < 3000;
    const key = below(4) === 0 ? 'a' : 'b';
    const item = below(2500);
    const items = lists.get(key) as Set<number>;
    const present = items.has(item);
    if (growing && !present) {
      index.add(key, item);
      items.add(item);
    } else if (!growing && items.size > 0) {
      const removed = present ? item : ([...items][0] as number);
      index.remove(key, removed);
      items.delete(removed);
    }
    if (step % 500 === 0) {
      expectEqual(index, lists);
      snapshots.push({ captured: index.capture(), lists: copyOf(lists) });
      epoch.advance();
    }
    if (step % 1700 === 1699) {
      const snapshot = snapshots[below(snapshots.length)] as (typeof snapshots)[number];
      index.restore(snapshot.captured);
      epoch.advance();
      lists = copyOf(snapshot.lists);
    }
  }

  for (const snapshot of snapshots) {
    index.restore(snapshot.captured);
    expectEqual(index, snapshot.lists);
  }
  expect(Math.max(...snapshots.map((snapshot) => snapshot.lists.get('b')?.size ?? 0))).toBeGreaterThan(1024);
});
