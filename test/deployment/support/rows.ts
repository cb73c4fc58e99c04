import { Random } from '../../../mock-server/state/ids.js';

export interface Row {
  id: string;
  title: string;
  text?: string;
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

/** Returns a seeded generator of pseudo-random numbers from 0 to 1. */
export function generator(seed: number): () => number {
  const random = new Random(seed);
  return () => random.next();
}
