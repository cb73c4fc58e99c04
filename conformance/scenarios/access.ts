import { operationIds, operationOf } from '../../src/contract/index.js';
import { same } from '../outcome.js';
import { choice, rule, type Scenario } from '../scenario.js';

const unknownId = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

/** Who is let in, and what is there. */
export const accessScenarios: Scenario[] = [
  ...operationIds.flatMap((id) => [
    (id === 'organization.get' ? rule : choice)(id, 'refuses a credential that is none (401)', async (lab) =>
      lab.refuses(
        await lab.call(id, ids(id, lab.organization), { token: 'not-a-credential' }),
        'invalid_credential',
      ),
    ),
    choice(id, 'refuses a request without a credential (401)', async (lab) =>
      lab.refuses(await lab.call(id, ids(id, lab.organization), { token: null }), 'invalid_credential'),
    ),
  ]),
  rule('organization.get', 'refuses another organization (403)', async (lab) => {
    const { status, request } = await lab.call('organization.get', [unknownId]);
    same(status, 403, request);
  }),
  ...operationIds
    .filter((id) => !(operationOf(id).parameters as readonly string[]).includes('organization'))
    .map((id) =>
      choice(id, 'does not find a record that is not there (404)', async (lab) =>
        lab.refuses(await lab.call(id, [unknownId]), 'not_found'),
      ),
    ),
  choice('tickets.update', 'refuses a body that is not JSON (400)', async (lab) => {
    const {
      tickets: [ticket],
    } = await lab.stage();
    lab.refuses(await lab.call('tickets.update', [ticket.id], { body: '{"title":' }), 'malformed_json');
  }),
  choice('tickets.update', 'ignores fields that it does not know', async (lab) => {
    const {
      tickets: [ticket],
    } = await lab.stage();
    const answer = await lab.call('tickets.update', [ticket.id], { body: { title: 'New', unknown: 1 } });
    same(lab.succeeds(answer, 200).title, 'New', 'title');
  }),
];

function ids(id: (typeof operationIds)[number], organization: string): string[] {
  return (operationOf(id).parameters as readonly string[]).includes('organization')
    ? [organization]
    : [unknownId];
}
