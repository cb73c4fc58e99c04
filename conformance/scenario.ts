import type { OperationId } from '../src/contract/index.js';
import type { Basis } from './expectations.js';
import type { Harness } from './harness.js';

/** One rule of the API, in a form that can be checked. */
export interface Scenario {
  /** The operation that the rule belongs to. */
  operation: OperationId;
  /** The rule, as it follows the operation's name: `rejects a board whose WIP limit is reached (422)`. */
  title: string;
  /** Another deployment may have chosen differently from a `choice`. */
  basis: Basis;
  run(harness: Harness): Promise<void>;
}

type Run = (harness: Harness) => Promise<void>;

/** A rule that the specification states. */
export const rule = (operation: OperationId, title: string, run: Run): Scenario => ({
  operation,
  title,
  basis: 'specification',
  run,
});

/** A rule that this package chose because the specification leaves it open. */
export const choice = (operation: OperationId, title: string, run: Run): Scenario => ({
  operation,
  title,
  basis: 'choice',
  run,
});
