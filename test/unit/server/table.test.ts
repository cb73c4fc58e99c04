import { expect, test, vi } from 'vitest';
import { Random } from '../../../mock-server/state/ids.js';
import { Epoch } from '../../../mock-server/store/epoch.js';
import { Table } from '../../../mock-server/store/table.js';

test('a table behaves like a Map across random changes and restores', () => {
  const random = new Random('table');
  const below = (limit: number) => Math.floor(random.next() * limit);
  const epoch = new Epoch();
  const table = new Table<{ step: number }>(epoch);
  let plain = new Map<string, { step: number }>();
  const snapshots: { captured: unknown; plain: typeof plain }[] = [];

  for (let step = 0; step < 5000; step += 1) {
    const id = `id ${below(200)}`;
    const choice = below(100);
    if (choice < 50) {
      table.put(id, { step });
      plain.set(id, { step });
    } else if (choice < 70) {
      table.remove(id);
      plain.delete(id);
    } else if (choice < 97) {
      expect([table.get(id), table.has(id)]).toEqual([plain.get(id), plain.has(id)]);
    } else if (choice < 99) {
      snapshots.push({ captured: table.capture(), plain: new Map(plain) });
      epoch.advance();
    } else {
      const snapshot = snapshots[below(snapshots.length)];
      if (!snapshot) continue;
      table.restore(snapshot.captured);
      epoch.advance();
      plain = new Map(snapshot.plain);
    }
  }

  expect(snapshots.length).toBeGreaterThan(50);
  for (const snapshot of snapshots) {
    table.restore(snapshot.captured);
    const entries = [...table.entries()];
    expect(Object.fromEntries(entries)).toEqual(Object.fromEntries(snapshot.plain));
    expect([...table.values()]).toEqual(entries.map(([, row]) => row));
  }
});

test("a table reports changed slots, and doesn't report the removal of an unknown ID", () => {
  const table = new Table<object>(new Epoch());
  const captured = table.capture();
  const changed = vi.fn();
  table.watch(changed);
  table.put('a', {});
  table.put('b', {});
  table.remove('a');
  table.remove('unknown');
  table.restore(captured);

  expect(changed.mock.calls).toEqual([[0], [1], [0], []]);
});
