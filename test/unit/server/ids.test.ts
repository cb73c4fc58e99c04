import { expect, test } from 'vitest';
import { IdGenerator, Random } from '../../../mock-server/state/ids.js';

const now = Date.parse('2026-01-01T00:00:00Z');

test('IdGenerator.next returns a ULID that starts with the time', () => {
  const id = new IdGenerator(new Random(0)).next(now);

  expect(id).toMatch(/^01KDVDNA00[0-9A-HJKMNP-TV-Z]{16}$/);
  expect(new IdGenerator(new Random(0)).next(0)).toMatch(/^0{10}/);
});

test('every ID is greater than the previous one, even if the clock stands still or is set back', () => {
  const ids = new IdGenerator(new Random(0));
  const made = [now, now, now + 1, now - 5000, -1, now + 2].map((time) => ids.next(time));

  expect(made).toEqual([...made].sort());
  expect(new Set(made).size).toBe(made.length);
});

test('the same seed produces the same IDs in every release, and different seeds produce different IDs', () => {
  const first = (seed: number | string) => new IdGenerator(new Random(seed)).next(now);

  expect(first(7)).toBe('01KDVDNA000BZH1ZE7Z8B9PBSR');
  expect(first('nightly')).toBe('01KDVDNA00TG3PHN8VGGSVF5EH');
  expect(new Set([first(0), first(1), first('nightly')]).size).toBe(3);
});

test('after its state is restored, a generator returns the same IDs again', () => {
  const ids = new IdGenerator(new Random(0));
  ids.next(now);
  const captured = ids.capture();
  const after = [ids.next(now), ids.next(now + 1)];

  ids.restore(captured);

  expect([ids.next(now), ids.next(now + 1)]).toEqual(after);
});

test('IDs increase even if the lower half of the random part overflows', () => {
  const ids = new IdGenerator(new Random(0));
  ids.restore({ time: now, high: 5, low: 2 ** 40 - 2, random: 0 });
  const made = [ids.next(now), ids.next(now), ids.next(now)];

  expect(made.map((id) => id.slice(10))).toEqual([
    '00000005ZZZZZZZZ',
    '0000000600000000',
    '0000000600000001',
  ]);
});
