import type { OperationId } from '../../src/contract/index.js';
import type { Basis } from './expectations.js';
import type { Harness } from './harness.js';

/** An API rule and the code that checks it. */
export interface Scenario {
  /** The operation the rule applies to. */
  operation: OperationId;
  /** A phrase that follows the operation's ID, such as `rejects an unknown status (422)`. */
  title: string;
  /** `optional` means that other deployments may behave differently. */
  basis: Basis;
  run: (harness: Harness) => Promise<void>;
}

const ruleWith =
  (basis: Basis) =>
  (operation: OperationId, title: string, run: Scenario['run']): Scenario => ({
    operation,
    title,
    basis,
    run,
  });

/** Creates a rule that comes from the specification. */
export const rule = ruleWith('specification');

/** Creates a rule for behavior that this package chose because the specification leaves it open. */
export const optional = ruleWith('optional');
