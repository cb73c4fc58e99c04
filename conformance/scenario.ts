import type { OperationId } from '../src/contract/index.js';
import type { Basis } from './expectations.js';
import type { Harness } from './harness.js';

/** A rule of the API with the code that checks it. */
export interface Scenario {
  /** The operation that the rule belongs to. */
  operation: OperationId;
  /**
   * The rule as a phrase after the operation's ID, such as `rejects a board whose WIP limit is reached
   * (422)`.
   */
  title: string;
  /** Other deployments may behave differently if this is `choice`. */
  basis: Basis;
  run(harness: Harness): Promise<void>;
}

type Run = (harness: Harness) => Promise<void>;

/** Creates a rule that is in the specification. */
export const rule = (operation: OperationId, title: string, run: Run): Scenario => ({
  operation,
  title,
  basis: 'specification',
  run,
});

/** Creates a rule that this package chose because the specification leaves the behavior open. */
export const choice = (operation: OperationId, title: string, run: Run): Scenario => ({
  operation,
  title,
  basis: 'choice',
  run,
});
