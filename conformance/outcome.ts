/** A scenario found something that is not as it must be. */
export class Mismatch extends Error {}

/** A scenario cannot be tried with what it was given. */
export class NotCheckable extends Error {}

/** @throws Mismatch unless the two are the same as JSON */
export function same(actual: unknown, expected: unknown, what: string): void {
  const [got, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (got !== wanted) throw new Mismatch(`${what}: expected ${wanted}, got ${got}`);
}

/** @throws Mismatch unless it holds */
export function holds(condition: boolean, what: string): void {
  if (!condition) throw new Mismatch(what);
}
