import { describe, expect, test } from 'vitest';
import { Random } from '../../../mock-server/state/ids.js';
import { Intern } from '../../../mock-server/store/intern.js';

const textsOf = (intern: Intern) => Array.from({ length: intern.size }, (_, slot) => intern.textOf(slot));

describe('Intern', () => {
  test('assigns one slot per distinct string, in order', () => {
    const intern = new Intern();
    expect(['a', 'b', 'a'].map((text) => intern.of(text))).toEqual([0, 1, 0]);
    expect([intern.find('b'), intern.find('c')]).toEqual([1, undefined]);
  });

  test('forgets strings added after the restored snapshot', () => {
    const intern = new Intern();
    intern.of('kept');
    const captured = intern.capture();
    for (let round = 0; round < 3; round += 1) {
      for (let count = 0; count < 1000; count += 1) intern.of(`round ${round} text ${count}`);
      intern.restore(captured);
      expect([intern.size, intern.find('round 0 text 0')]).toEqual([1, undefined]);
    }
  });

  test('can restore a later snapshot after an earlier one', () => {
    const intern = new Intern();
    intern.of('a');
    const early = intern.capture();
    intern.of('b');
    const late = intern.capture();
    intern.restore(early);
    intern.of('c');
    intern.restore(late);
    expect(textsOf(intern)).toEqual(['a', 'b']);
    expect([intern.find('b'), intern.find('c')]).toEqual([1, undefined]);
    intern.restore(early);
    expect(textsOf(intern)).toEqual(['a']);
  });

  test.each([1, 2, 3])('behaves like an array across random snapshots and restores (seed %i)', (seed) => {
    const random = new Random(seed);
    const below = (limit: number) => Math.floor(random.next() * limit);
    const intern = new Intern();
    let plain: string[] = [];
    const snapshots = [{ captured: intern.capture(), plain: [...plain] }];
    for (let step = 0; step < 3000; step += 1) {
      const choice = below(100);
      if (choice < 90) {
        const text = `text ${below(400)}`;
        if (!plain.includes(text)) plain.push(text);
        expect(intern.of(text)).toBe(plain.indexOf(text));
      } else if (choice < 94) {
        snapshots.push({ captured: intern.capture(), plain: [...plain] });
      } else {
        const snapshot = snapshots[below(snapshots.length)];
        if (!snapshot) continue;
        intern.restore(snapshot.captured);
        plain = [...snapshot.plain];
        expect(textsOf(intern)).toEqual(plain);
      }
    }
    expect(snapshots.length).toBeGreaterThan(50);
  });
});
