/**
 * The source of a rule: the specification, or this package's choice if the specification leaves the behavior
 * open.
 */
export type Basis = 'specification' | 'optional';

/** Thrown if the deployment violates a rule. */
export class Mismatch extends Error {
  /** `optional` if the deployment follows the specification but not this package's choice. */
  readonly basis: Basis | undefined;

  /** @param basis defaults to the rule's basis */
  constructor(message: string, basis?: Basis) {
    super(message);
    this.basis = basis;
  }
}

/** Thrown if a rule can't be checked with this credential or deployment. */
export class NotCheckable extends Error {}

/** Thrown if a request was sent, but the response was lost. The deployment may have performed the request. */
export class LostResponse extends NotCheckable {}

/** Thrown if the deployment rejects the token, because every rule would then fail or pass for the wrong reason. */
export class TokenRejected extends Error {
  constructor() {
    super('the deployment rejects the token (401)');
  }
}

/** @throws Mismatch unless both values serialize to the same JSON */
export function expectEqual(actual: unknown, expected: unknown, subject: string): void {
  const [actualJson, expectedJson] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (actualJson !== expectedJson)
    throw new Mismatch(`${subject}: expected ${expectedJson}, got ${actualJson}`);
}

/** @throws Mismatch unless the condition is true */
export function expectTrue(condition: boolean, problem: string): void {
  if (!condition) throw new Mismatch(problem);
}

/** @throws Mismatch unless the records have the positions 0, 1, 2, and so on, in this order */
export function expectPositions(records: readonly { position: unknown }[]): void {
  expectEqual(
    records.map(({ position }) => position),
    records.map((_, index) => index),
    'positions',
  );
}

/**
 * Archives and then unarchives a record.
 *
 * @param what the kind of record, such as `ticket`
 * @param update updates the record and returns it
 * @throws Mismatch unless `archived_at` is first set and then cleared
 */
export async function expectArchivable(
  what: string,
  update: (body: { archived: boolean }) => Promise<{ archived_at?: unknown }>,
): Promise<void> {
  const { archived_at } = await update({ archived: true });
  expectTrue(typeof archived_at === 'string', `the ${what} is archived, but archived_at isn't a date`);
  expectEqual((await update({ archived: false })).archived_at, null, 'archived_at');
}
