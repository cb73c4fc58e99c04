import { describe, expect, test } from 'vitest';
import { Random } from '../../../mock-server/state/ids.js';
import { Epoch } from '../../../mock-server/store/epoch.js';
import { Sequences } from '../../../mock-server/store/sequences.js';

describe('Sequences', () => {
  test('returns no items for an empty list', () => {
    const sequences = new Sequences(new Epoch(), { located: true });

    expect(sequences.length(3)).toBe(0);
    expect(sequences.slice(3)).toEqual([]);
    expect(sequences.slice(3, 0, 25)).toEqual([]);
    expect(sequences.indexOf(3, 7)).toBe(-1);
  });

  test('keeps a long list in order after inserts at the front', () => {
    const sequences = new Sequences(new Epoch(), { located: true });
    for (let item = 0; item < 3000; item += 1) sequences.insert(0, 0, item);

    expect(sequences.slice(0)).toEqual(Array.from({ length: 3000 }, (_, index) => 2999 - index));
    expect(sequences.indexOf(0, 2999)).toBe(0);
    expect(sequences.indexOf(0, 0)).toBe(2999);
  });

  test.each([1, 2, 3])('behaves like plain arrays across random changes and restores (run %i)', (run) => {
    const game = new RandomChanges(run, 1500);
    for (let step = 0; step < 6000; step += 1) game.step();

    expect(game.captures.length).toBeGreaterThan(10);
    for (const { captured, plain } of game.captures) {
      game.sequences.restore(captured);
      const [first = [], second = []] = plain;
      expect([game.sequences.slice(0), [...game.sequences.items(1)]]).toEqual([first, second]);
      expect([game.sequences.length(0), game.sequences.length(1)]).toEqual([first.length, second.length]);
      expect(first.map((item) => game.sequences.indexOf(0, item))).toEqual([...first.keys()]);
    }
  });

  test('lowerBound returns the index of the first item for which isBefore is false', () => {
    const sequences = new Sequences(new Epoch());
    for (let item = 0; item < 2000; item += 1) sequences.append(0, item * 2);

    for (const limit of [-1, 0, 1, 1023, 1024, 2047, 3998, 3999, 5000]) {
      const expected = Array.from({ length: 2000 }, (_, index) => index * 2).filter((item) => item < limit);
      expect(sequences.lowerBound(0, (item) => item < limit)).toBe(expected.length);
    }
    expect(sequences.lowerBound(0, () => true)).toBe(2000);
  });

  test('lowerBound returns the correct index after many consecutive items are removed', () => {
    const sequences = new Sequences(new Epoch());
    sequences.replace(
      0,
      Array.from({ length: 2000 }, (_, item) => item),
    );
    for (let count = 0; count < 1000; count += 1) sequences.remove(0, 200);

    for (const limit of [0, 100, 200, 700, 1200, 1201, 1500, 2000]) {
      const expected = sequences.slice(0).filter((item) => item < limit);
      expect(sequences.lowerBound(0, (item) => item < limit)).toBe(expected.length);
    }
  });
});

/** Applies the same random changes to two lists and two plain arrays. */
class RandomChanges {
  readonly captures: { captured: unknown; plain: number[][] }[] = [];
  readonly #epoch = new Epoch();
  readonly sequences = new Sequences(this.#epoch, { located: true });
  readonly #random: Random;
  #plain: number[][] = [[], []];
  #nextItem = 0;

  /** @param items - The initial length of each list, which should exceed one chunk. */
  constructor(seed: number, items: number) {
    this.#random = new Random(seed);
    for (const [key, list] of this.#plain.entries()) {
      for (let count = 0; count < items; count += 1) this.#insert(key, list);
    }
  }

  step(): void {
    const key = this.#randomBelow(2);
    const list = this.#plain[key] as number[];
    const choice = this.#randomBelow(100);
    if (choice < 55 || list.length === 0) this.#insert(key, list);
    else if (choice < 80) this.#remove(key, list);
    else if (choice < 94) this.#compare(key, list);
    else if (choice < 95) this.sequences.replace(key, list.reverse());
    else if (choice < 98) this.#keep();
    else this.#restoreCapture();
  }

  #insert(key: number, list: number[]): void {
    const index = this.#randomBelow(list.length + 1);
    this.sequences.insert(key, index, this.#nextItem);
    list.splice(index, 0, this.#nextItem);
    this.#nextItem += 1;
  }

  #remove(key: number, list: number[]): void {
    const index = this.#randomBelow(list.length);
    expect(this.sequences.remove(key, index)).toBe(list.splice(index, 1)[0]);
  }

  #compare(key: number, list: readonly number[]): void {
    const index = this.#randomBelow(list.length);
    expect(this.sequences.indexOf(key, list[index] as number)).toBe(index);
    expect(this.sequences.slice(key, index, 700)).toEqual(list.slice(index, index + 700));
  }

  #keep(): void {
    this.captures.push({
      captured: this.sequences.capture(),
      plain: this.#plain.map((list) => list.slice()),
    });
    this.#epoch.advance();
  }

  #restoreCapture(): void {
    const back = this.captures[this.#randomBelow(this.captures.length)];
    if (!back) return;
    this.sequences.restore(back.captured);
    this.#epoch.advance();
    this.#plain = back.plain.map((list) => list.slice());
  }

  #randomBelow(limit: number): number {
    return Math.floor(this.#random.next() * limit);
  }
}
