export interface Row {
  id: string;
  title: string;
  text?: string;
}

/** Returns a seeded generator of pseudo-random numbers from 0 to 1. */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
