import { describe, expect, test } from 'vitest';
import { Random } from '../../../mock-server/state/ids.js';
import { Epoch, type Versioned } from '../../../mock-server/store/epoch.js';
import { OrderedLists } from '../../../mock-server/store/ordered-lists.js';
import { PersistentVector } from '../../../mock-server/store/persistent-vector.js';
import { SlotMap } from '../../../mock-server/store/slot-map.js';
import { SortedIndex } from '../../../mock-server/store/sorted-index.js';
import { Table } from '../../../mock-server/store/table.js';

type Below = (limit: number) => number;

/** A data structure, and a plain object that must behave the same. */
interface Comparison<Plain> {
  structure: Versioned;
  plain: Plain;
  /** Applies a random change to both. Throws an error if their results differ. */
  change(plain: Plain, below: Below, step: number): void;
  expectEqual(plain: Plain): void;
}

const comparisons: Record<string, { steps: number; create: (epoch: Epoch) => Comparison<never> }> = {
  SlotMap: { steps: 3000, create: slotMapAndArray as never },
  PersistentVector: { steps: 20_000, create: vectorAndMap as never },
  Table: { steps: 5000, create: tableAndMap as never },
  OrderedLists: { steps: 6000, create: orderedListsAndArrays as never },
  SortedIndex: { steps: 12_000, create: sortedIndexAndSets as never },
};

describe.each(Object.entries(comparisons))('%s', (name, { steps, create }) => {
  test.each([1, 2])(
    'behaves like a plain object during random changes, snapshots, and restores (seed %i)',
    (seed) => {
      const random = new Random(`${name} ${seed}`);
      const below = (limit: number) => Math.floor(random.next() * limit);
      const epoch = new Epoch();
      const { structure, plain: empty, change, expectEqual } = create(epoch);
      let plain = empty;
      const snapshots: { captured: unknown; plain: never }[] = [
        { captured: structure.capture(), plain: structuredClone(plain) },
      ];
      epoch.advance();
      for (let step = 0; step < steps; step += 1) {
        const choice = below(steps);
        if (choice >= 120) change(plain, below, step);
        else if (choice >= 40)
          snapshots.push({ captured: structure.capture(), plain: structuredClone(plain) });
        else {
          const snapshot = snapshots[below(snapshots.length)] as (typeof snapshots)[number];
          structure.restore(snapshot.captured);
          plain = structuredClone(snapshot.plain);
          expectEqual(plain);
        }
        if (choice < 120) epoch.advance();
      }
      expect(snapshots.length).toBeGreaterThan(50);
      for (const snapshot of snapshots) {
        structure.restore(snapshot.captured);
        expectEqual(snapshot.plain);
      }
    },
  );
});

function slotMapAndArray(): Comparison<string[]> {
  const structure = new SlotMap();
  return {
    structure,
    plain: [],
    change(plain, below) {
      const text = `text ${below(400)}`;
      expect(structure.find(text) ?? -1).toBe(plain.indexOf(text));
      if (!plain.includes(text)) plain.push(text);
      expect(structure.assign(text)).toBe(plain.indexOf(text));
    },
    expectEqual(plain) {
      expect(Array.from({ length: structure.size }, (_, slot) => structure.textOf(slot))).toEqual(plain);
    },
  };
}

function vectorAndMap(epoch: Epoch): Comparison<Map<number, number>> {
  const structure = new PersistentVector<number>(epoch);
  return {
    structure,
    plain: new Map(),
    change(plain, below, step) {
      const index = below(2 ** (1 + below(20)));
      const choice = below(100);
      if (choice < 70) {
        structure.set(index, step);
        plain.set(index, step);
      } else if (choice < 80) {
        structure.set(index, undefined);
        plain.delete(index);
      } else expect(structure.get(index)).toBe(plain.get(index));
    },
    expectEqual(plain) {
      const inOrder = [...plain].sort(([a], [b]) => a - b);
      expect([...structure.entries()]).toEqual(inOrder);
      expect([...structure.values()]).toEqual(inOrder.map(([, value]) => value));
    },
  };
}

function tableAndMap(epoch: Epoch): Comparison<Map<string, object>> {
  const structure = new Table<object>(epoch);
  return {
    structure,
    plain: new Map(),
    change(plain, below, step) {
      const id = `id ${below(200)}`;
      const choice = below(100);
      if (choice < 50) {
        structure.put(id, { step });
        plain.set(id, { step });
      } else if (choice < 70) {
        structure.remove(id);
        plain.delete(id);
      } else expect([structure.get(id), structure.has(id)]).toEqual([plain.get(id), plain.has(id)]);
    },
    expectEqual(plain) {
      const entries = [...structure.ids()].map((id) => [id, structure.get(id)] as const);
      expect(Object.fromEntries(entries)).toEqual(Object.fromEntries(plain));
      expect([...structure.values()]).toEqual(entries.map(([, row]) => row));
    },
  };
}

/** The lists start out longer than one chunk. */
function orderedListsAndArrays(epoch: Epoch): Comparison<number[][]> {
  const structure = new OrderedLists(epoch, { located: true });
  const items = (key: number) => Array.from({ length: 1500 }, (_, index) => key * 1500 + index);
  const plain = [items(0), items(1)];
  for (const [key, list] of plain.entries()) for (const item of list) structure.append(key, item);
  let nextItem = 3000;
  return {
    structure,
    plain,
    change(lists, below) {
      const key = below(2);
      const list = lists[key] as number[];
      const choice = below(100);
      const index = below(list.length);
      if (choice < 57 || list.length === 0) {
        const end = below(list.length + 1);
        structure.insert(key, end, nextItem);
        list.splice(end, 0, nextItem++);
      } else if (choice < 84) expect(structure.remove(key, index)).toBe(list.splice(index, 1)[0]);
      else if (choice < 99) {
        expect(structure.indexOf(key, list[index] as number)).toBe(index);
        expect(structure.slice(key, index, 700)).toEqual(list.slice(index, index + 700));
      } else structure.replace(key, list.reverse());
    },
    expectEqual([first = [], second = []]) {
      expect([structure.slice(0), [...structure.items(1)]]).toEqual([first, second]);
      expect([structure.length(0), structure.length(1)]).toEqual([first.length, second.length]);
      expect(first.map((item) => structure.indexOf(0, item))).toEqual([...first.keys()]);
    },
  };
}

/** Each list grows beyond several chunks and then shrinks until it's almost empty. */
function sortedIndexAndSets(epoch: Epoch): Comparison<Map<string, Set<number>>> {
  // Items with equal ranks are sorted by number.
  const rankOf = (item: number) => (item * 7919) % 100;
  const structure = new SortedIndex(epoch, rankOf);
  return {
    structure,
    plain: new Map([
      ['a', new Set()],
      ['b', new Set()],
    ]),
    change(lists, below, step) {
      const key = below(4) === 0 ? 'a' : 'b';
      const items = lists.get(key) as Set<number>;
      const item = below(2500);
      if (step % 6000 < 3000) {
        if (!items.has(item)) structure.add(key, item);
        items.add(item);
      } else if (items.size > 0) {
        const [first = item] = items;
        const removed = items.has(item) ? item : first;
        structure.remove(key, removed);
        items.delete(removed);
      }
    },
    expectEqual(lists) {
      for (const [key, items] of lists) {
        const expected = [...items].sort((a, b) => rankOf(a) - rankOf(b) || a - b);
        expect(structure.length(key)).toBe(expected.length);
        expect(structure.slice(key)).toEqual(expected);
        expect(structure.slice(key, 500, 20)).toEqual(expected.slice(500, 520));
        for (const limit of [0, 1, 50, 99, 100]) {
          expect(structure.countBelow(key, limit)).toBe(
            expected.filter((item) => rankOf(item) < limit).length,
          );
        }
      }
    },
  };
}

test('Table.slotOf throws for an ID without a record', () => {
  const table = new Table(new Epoch());
  table.put('kept', {});
  expect(table.slotOf('kept')).toBe(0);
  expect(() => table.slotOf('unknown')).toThrow('no record has the ID unknown');
});

test('an empty list has no items even if other lists do', () => {
  const lists = new OrderedLists(new Epoch(), { located: true });
  lists.append(1, 7);
  expect([lists.length(3), lists.slice(3), lists.slice(3, 0, 25), lists.indexOf(3, 7)]).toEqual([
    0,
    [],
    [],
    -1,
  ]);
  const index = new SortedIndex(new Epoch(), Number);
  index.add('a', 1);
  expect([index.length('b'), index.slice('b'), index.countBelow('b', 1000)]).toEqual([0, [], 0]);
});

test('every change and every restore increments the change counter', () => {
  const epoch = new Epoch();
  const vector = new PersistentVector<string>(epoch);
  const captured = vector.capture();
  const numbers = [
    () => {},
    () => vector.set(0, 'a'),
    () => vector.set(0, undefined),
    () => vector.restore(captured),
  ].map((change) => {
    change();
    return epoch.changes;
  });
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
});
