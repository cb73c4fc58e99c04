import { Random } from '../../../mock-server/state/ids.js';

export interface Row {
  id: string;
  title: string;
  text?: string;
  isDone?: boolean;
}

/** Creates rows with the given titles. By default, each title is unique. */
export const rowsOf = (count: number, titleOf = (index: number) => `Step ${index} of the plan`): Row[] =>
  Array.from({ length: count }, (_, index) => ({ id: `r${index}`, title: titleOf(index) }));

/** Generates the rows of a large import. Every tenth row shares its title and description with other rows. */
export function* manyRows(count: number): Generator<Row> {
  for (let index = 0; index < count; index++) {
    const number = String(index).padStart(6, '0');
    const isCommon = index % 10 === 0;
    yield {
      id: `old-${number}`,
      title: isCommon ? `Common ${Math.floor(index / 10) % 20}` : `Ticket ${number} of the import`,
      text: isCommon ? '<p>The same for all</p>' : `<p>Row ${number}</p>`,
    };
  }
}

/** In the second version of a synced source, one row in this many has changed. */
export const changeEvery = 10;

/**
 * Generates the versions of a source that is synced three times. Rows 5 and 6 are missing from version 1.
 * Rows 7, 8, and 9 are missing from version 2, in which every tenth row has changed.
 */
export function* versionOf(version: 0 | 1 | 2, count: number): Generator<Row> {
  for (let index = 0; index < count; index++) {
    if (version === 1 && (index === 5 || index === 6)) continue;
    if (version === 2 && index >= 7 && index <= 9) continue;
    const isChanged = version === 2 && index % changeEvery === 0;
    yield {
      id: `r${index}`,
      title: isChanged && index % 20 === 0 ? `Step ${index} has changed` : `Step ${index} of the plan`,
      text: isChanged ? '<p>Changed</p>' : `<p>Row ${index}</p>`,
      isDone: isChanged && index % 30 === 0,
    };
  }
}

/** Returns a seeded generator of pseudo-random numbers from 0 to 1. */
export function generator(seed: number): () => number {
  const random = new Random(seed);
  return () => random.next();
}
