import type { ExampleId } from '../../../docs/.vitepress/content/examples.js';

/** The main output line of each example. */
export const expectedLines: Record<ExampleId, RegExp> = {
  'first-board': /^It is now on Doing at position 0\. Work started at 20/m,
  'wip-limits': /^Radio has to wait: tickets\.move: .*wip_limit_reached/m,
  errors: /^ {2}InvalidRequestError \(invalid_request\), not_sent$/m,
  pagination: /^Item by item: Step 1, .*, Step 7\.$/m,
  'documents-and-tags': /^launch \+ ops: Launch runbook$/m,
  notifications: /^The server rejected an unknown user: .*invalid_recipient/m,
  analytics: /^3 tickets: 1 done, 2 open, 1 overdue\.$/m,
  'board-deletion': /^Delete without a target board: target_board_required\./m,
  scopes: /^The dashboard can't rename it: missing_scope\./m,
  'retries-and-faults': /^projects\.list: 0 projects, after 3 requests\.$/m,
  'testing-with-fetch': /^startWork returned “board is full”, and the ticket is still on brd_todo\.$/m,
  'explore-failures': /^The workflow survived 26 of 40 runs\.$.*^The workflow survived 79 of 79 runs\.$/ms,
  'team-day': /2 of 5 done, 3 open, 1 overdue/,
};
