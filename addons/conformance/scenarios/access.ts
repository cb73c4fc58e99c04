import { type OperationId, operationIds, operationOf } from '../../../src/contract/index.js';
import { expectEqual } from '../expectations.js';
import type { Harness } from '../harness.js';
import { optional, rule, type Scenario } from '../scenario.js';

/** Rules about credentials, unknown records, and invalid JSON. */
export const accessScenarios: Scenario[] = [
  ...operationIds.flatMap((id) => [
    (id === 'organization.get' ? rule : optional)(
      id,
      'rejects an unknown credential (401)',
      async (harness) =>
        harness.expectError(
          id,
          unknownIdsOf(id, harness),
          { token: 'not-a-credential' },
          'invalid_credential',
        ),
    ),
    optional(id, 'rejects a request without a credential (401)', async (harness) =>
      harness.expectError(id, unknownIdsOf(id, harness), { token: null }, 'invalid_credential'),
    ),
  ]),
  rule('organization.get', 'rejects access to another organization (403)', async (harness) => {
    const { status, request } = await harness.call('organization.get', [harness.unknownId]);
    expectEqual(status, 403, request);
  }),
  ...operationIds
    .filter((id) => !isOfOrganization(id))
    .map((id) =>
      optional(id, 'rejects an unknown record (404)', async (harness) =>
        harness.expectError(id, [harness.unknownId], {}, 'not_found'),
      ),
    ),
  optional('tickets.update', "rejects a body that isn't valid JSON (400)", async (harness) => {
    const { id } = await harness.shared.ticket();
    await harness.expectError('tickets.update', [id], { body: '{"title":' }, 'malformed_json');
  }),
  optional('tickets.update', 'ignores unknown fields', async (harness) => {
    const { ticket } = await harness.createBoards();
    const body = { title: 'New', unknown: 1 };
    const updated = await harness.expectSuccess('tickets.update', [ticket.id], { body });
    expectEqual(updated.title, 'New', 'title');
  }),
];

function isOfOrganization(id: OperationId): boolean {
  return operationOf(id).parameters.includes('organization');
}

const unknownIdsOf = (id: OperationId, { unknownId }: Harness): string[] =>
  isOfOrganization(id) ? [] : [unknownId];
