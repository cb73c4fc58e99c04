import { expect, test } from 'vitest';
import { Epoch } from '../../../mock-server/store/epoch.js';
import { PersistentVector } from '../../../mock-server/store/persistent-vector.js';
import { VersionedValue } from '../../../mock-server/store/versioned-value.js';

test('every change and every restore of a vector increases the number of changes', () => {
  const epoch = new Epoch();
  const vector = new PersistentVector<string>(epoch);
  const value = new VersionedValue(epoch, 'before');
  const captured = vector.capture();
  const numbers = [
    () => {},
    () => vector.set(0, 'a'),
    () => vector.set(0, undefined),
    () => value.set('after'),
    () => vector.restore(captured),
  ].map((change) => {
    change();
    return epoch.changes;
  });

  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
});
