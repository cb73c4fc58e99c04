import type { OperationId } from '../src/contract/index.js';
import type { Lab } from './lab.js';

/** One rule, as something that can be tried. */
export interface Scenario {
  /** The operation that the rule is of. */
  operation: OperationId;
  /** What must be so, after the operation's name: `refuses a board whose WIP limit is reached (422)`. */
  title: string;
  /** `specification` says it; a `choice` fills a gap of the specification, and another deployment may have filled it otherwise. */
  basis: 'specification' | 'choice';
  run(lab: Lab): Promise<void>;
}

type Run = (lab: Lab) => Promise<void>;

/** A rule that the specification states. */
export const rule = (operation: OperationId, title: string, run: Run): Scenario => ({
  operation,
  title,
  basis: 'specification',
  run,
});

/** What this package chose where the specification is silent. */
export const choice = (operation: OperationId, title: string, run: Run): Scenario => ({
  operation,
  title,
  basis: 'choice',
  run,
});
