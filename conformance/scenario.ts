import type { OperationId } from '../src/contract/index.js';
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
  run(harness: Harness): Promise<void>;
}

type Run = (harness: Harness) => Promise<void>;

/** Creates a rule that comes from the specification. */
export const rule = (operation: OperationId, title: string, run: Run): Scenario => ({
  operation,
  title,
  basis: 'specification',
  run,
});

/** Creates a rule for behavior that this package chose because the specification leaves it open. */
export const optional = (operation: OperationId, title: string, run: Run): Scenario => ({
  operation,
  title,
  basis: 'optional',
  run,
});
