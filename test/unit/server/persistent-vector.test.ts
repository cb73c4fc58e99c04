import { expect, test } from 'vitest';
import { Random } from '../../../mock-server/state/ids.js';
import { Epoch } from '../../../mock-server/store/epoch.js';
import { PersistentVector } from '../../../mock-server/store/persistent-vector.js';

test('a persistent vector behaves like a Map across random changes and restores', () => {
  const epoch = new Epoch();
  const vector = new PersistentVector<number>(epoch);
  const random = new Random('vector');
  const below = (limit: number) => Math.floor(random.next() * limit);
  let plain = new Map<number, number>();
  const captures: { captured: unknown; plain: Map<number, number> }[] = [];

  for (let step = 0; step < 20_000; step += 1) {
    const index = below(2 ** (1 + below(20)));
    const choice = below(100);
    if (choice < 70) {
      vector.set(index, step);
      plain.set(index, step);
    } else if (choice < 80) {
      vector.set(index, undefined);
      plain.delete(index);
    } else if (choice < 98) {
      expect(vector.get(index)).toBe(plain.get(index));
    } else if (choice < 99) {
      captures.push({ captured: vector.capture(), plain: new Map(plain) });
      epoch.advance();
    } else if (captures.length > 0) {
      const back = captures[below(captures.length)] as (typeof captures)[number];
      vector.restore(back.captured);
      epoch.advance();
      plain = new Map(back.plain);
    }
  }

  expect(captures.length).toBeGreaterThan(50);
  for (const { captured, plain: expected } of captures) {
    vector.restore(captured);
    const inOrder = [...expected].sort(([a], [b]) => a - b);
    expect([...vector.entries()]).toEqual(inOrder);
    expect([...vector.values()]).toEqual(inOrder.map(([, value]) => value));
  }
});

test("changing a persistent vector doesn't affect earlier snapshots", () => {
  const epoch = new Epoch();
  const vector = new PersistentVector<string>(epoch);
  vector.set(40, 'before');
  const captured = vector.capture();
  epoch.advance();
  vector.set(40, 'after');
  vector.set(5000, 'new');

  vector.restore(captured);

  expect(vector.get(40)).toBe('before');
  expect(vector.get(5000)).toBeUndefined();
});
