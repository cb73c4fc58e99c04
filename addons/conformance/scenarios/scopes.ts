import { type OperationId, operationIds, operationOf } from '../../../src/contract/index.js';
import { expectTrue, NotCheckable } from '../expectations.js';
import type { Harness } from '../harness.js';
import { rule, type Scenario } from '../scenario.js';

/** Calls each operation with a credential that lacks the required scope. */
export const scopeScenarios: Scenario[] = operationIds.map((id) =>
  rule(id, `rejects a credential without the ${operationOf(id).scope} scope (403)`, async (harness) => {
    const { scope } = operationOf(id);
    const { limitedCredential } = harness.options;
    if (!limitedCredential) throw new NotCheckable('requires a second credential with fewer scopes');
    const { token, scopes } = limitedCredential;
    if (scopes?.includes(scope)) throw new NotCheckable(`the second credential has the ${scope} scope`);
    const ids = await idsFor(id, harness);
    const body = await bodies[id]?.(harness);
    const { status, request } = await harness.call(id, ids, { token, ...(body && { body }) });
    // If the credential's scopes are unknown, it may have the scope under test.
    if (!scopes && status !== 403) {
      throw new NotCheckable(
        `the second credential may have the ${scope} scope; list its scopes to check this rule`,
      );
    }
    expectTrue(status === 403, `${request}: expected 403, got ${status}`);
  }),
);

async function idsFor(id: OperationId, { shared }: Harness): Promise<string[]> {
  const [parameter = 'organization'] = operationOf(id).parameters;
  if (parameter === 'organization') return [];
  // Create a new record for each delete operation, because a deployment that violates the rule would delete
  // it.
  const records = id.endsWith('.delete') ? shared.create : shared;
  return [(await records[parameter as keyof typeof shared.create]()).id];
}

/** Valid request bodies. The missing scope must be the only reason to reject the request. */
const bodies: Readonly<Partial<Record<OperationId, (harness: Harness) => Promise<object> | object>>> = {
  'projects.create': ({ title, key }) => ({ name: title, key }),
  'projects.update': () => ({ name: 'Conformance' }),
  'boards.create': () => ({ name: 'Board' }),
  'boards.reorder': async (harness) => ({
    board_ids: await harness.listBoardIds(await harness.shared.project()),
  }),
  'boards.update': () => ({ name: 'Board' }),
  'tickets.create': async ({ shared }) => ({ board_id: (await shared.board()).id, title: 'Ticket' }),
  'tickets.reorder': async (harness) => {
    const board = await harness.shared.board();
    return {
      board_id: board.id,
      ticket_ids: await harness.listTicketIds(await harness.shared.project(), board),
    };
  },
  'tickets.update': () => ({ title: 'Ticket' }),
  'tickets.move': async ({ shared }) => ({ board_id: (await shared.board()).id }),
  'tickets.comments.create': () => ({ body_html: '<p>Hello</p>' }),
  'documents.create': ({ title }) => ({ title }),
  'documents.update': () => ({ title: 'Conformance' }),
  'documents.comments.create': () => ({ body_html: '<p>Hello</p>' }),
  // Use an unknown recipient so that nobody is notified even if the deployment violates the rule.
  'notifications.send': () => ({ user_ids: ['none'], title: 'Conformance', body: 'x' }),
};
