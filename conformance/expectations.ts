/** Who states a rule: the specification, or this package if the specification leaves it open. */
export type Basis = 'specification' | 'choice';

/** The deployment breaks a rule. */
export class Mismatch extends Error {
  /** `choice` if only this package's choice is broken, in a rule that the specification states otherwise. */
  readonly basis: Basis;

  constructor(message: string, basis: Basis = 'specification') {
    super(message);
    this.basis = basis;
  }
}

/** A rule can't be checked with this credential or this deployment. */
export class NotCheckable extends Error {}

/** @throws Mismatch unless both are the same as JSON */
export function expectEqual(actual: unknown, expected: unknown, subject: string): void {
  const [got, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (got !== wanted) throw new Mismatch(`${subject}: expected ${wanted}, got ${got}`);
}

/** @throws Mismatch unless the condition is true */
export function expectTrue(condition: boolean, problem: string): void {
  if (!condition) throw new Mismatch(problem);
}
