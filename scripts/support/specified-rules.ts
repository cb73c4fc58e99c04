import { readFileSync } from 'node:fs';
import { root } from '../entries.js';

/** Returns the IDs of the rules in docs/specification.md: list items and table rows that start with an ID. */
export const specifiedRules = (): string[] =>
  [
    ...readFileSync(`${root}docs/specification.md`, 'utf8').matchAll(
      /^(?:- \*\*([A-Z]-\d+)\*\* |\| ([A-Z]-\d+) \| )/gm,
    ),
  ].map(([, item, row]) => item ?? (row as string));

/** Returns the IDs at the start of a test's title, such as `B-2 boards.reorder …`. */
export const rulesIn = (title: string): string[] =>
  /^(?:[A-Z]-\d+,? )*/.exec(title)?.[0].match(/[A-Z]-\d+/g) ?? [];
