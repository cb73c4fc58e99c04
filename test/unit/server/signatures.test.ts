import { expect, test } from 'vitest';
import { Random } from '../../../mock-server/state/ids.js';
import { Signatures } from '../../../mock-server/store/signatures.js';

function setUp(seed: string) {
  const random = new Random(seed);
  const below = (limit: number) => Math.floor(random.next() * limit);
  const word = (length: number) => Array.from({ length }, () => String.fromCharCode(97 + below(26))).join('');
  const vocabulary = Array.from({ length: 300 }, () => word(3 + below(8)));
  const texts = Array.from({ length: 1000 }, () => {
    const picked = Array.from({ length: 70 }, () => vocabulary[below(vocabulary.length)]);
    return picked.join(' ').slice(0, 500);
  });
  const signatures = new Signatures();
  texts.forEach((text, slot) => {
    signatures.set(slot, text);
  });
  return { signatures, texts, below, word };
}

test('a signature never rules out a text that contains the string', () => {
  const { signatures, texts, below } = setUp('contained');
  for (const [slot, text] of texts.entries()) {
    const start = below(text.length);
    const needle = text.slice(start, start + 1 + below(30));
    expect(signatures.filter(needle)(slot), needle).toBe(true);
  }
});

test("signatures rule out over 90% of the 500-character texts that don't contain the string", () => {
  const { signatures, texts, word } = setUp('not contained');
  const needles = Array.from({ length: 50 }, () => word(12));
  const remaining = needles.map((needle) => {
    const mayContain = signatures.filter(needle);
    return texts.filter((_, slot) => mayContain(slot)).length;
  });
  const share = remaining.reduce((total, count) => total + count) / (needles.length * texts.length);
  expect(share).toBeLessThan(0.1);
});

test("a slot's new signature replaces its previous one and uses no more memory", () => {
  const { signatures, texts } = setUp('replaced');
  const { bytes } = signatures;
  const [first = '', second = '', third = ''] = texts;
  signatures.set(1, 'launch');

  expect(signatures.bytes).toBe(bytes);
  expect(signatures.filter(second)(1)).toBe(false);
  expect(signatures.filter('launch')(1)).toBe(true);
  expect([signatures.filter(first)(0), signatures.filter(third)(2)]).toEqual([true, true]);
});

test('setting the signature of the last slot again uses no more memory', () => {
  const signatures = new Signatures();
  signatures.set(0, 'launch');
  const { bytes } = signatures;
  signatures.set(0, 'land');

  expect(signatures.bytes).toBe(bytes);
});
