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
  'export-project':
    /^## To do\n- #1 Check the radio \(high\)\n\n## Done\n- #2 Fuel the rocket\n\n## Launch plan\nAt nine\.$/m,
  'board-migration':
    /^To do \(limit none\): Moon base, Heat shield\nDoing \(limit 2\): Radio, Engine, Parachute$/m,
  'release-notes':
    /^<h2>Feature<\/h2><ul><li>Talk to the moon<\/li><\/ul><h2>Fix<\/h2><ul><li>The radio is silent/m,
  'ci-bot': /^Build 1: opened #1\nBuild 2: commented on #1\nBuild 3: closed #1\nBuild 4: nothing to close$/m,
  'incident-response':
    /^Opened #1 and notified 2 people\.\n#1 is already open\.\nClosed #1\.\nIncident: .*<p>The antenna was turned/m,
  'weekly-report': /^Run 2: .*\n.*<li>Apollo: 1 of 3 done, 1 overdue, Doing is full<\/li>/m,
  'multi-tenant': /^Wait 60 s\.\nFound globex launch\.\n.*\nglobex can't read it: wrong_organization$/m,
};
