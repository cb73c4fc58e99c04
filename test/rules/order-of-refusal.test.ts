import { describe, expect, test } from 'vitest';
import { endpoints, everyOperation } from '../contract/endpoints.js';
import { bodyFields } from '../contract/fields.js';
import { call, foreign, recordParameter, unknown } from './requests.js';
import { expectRefusal, wire } from './support.js';
import { serve } from './world.js';

const withBody = everyOperation.filter((id) => endpoints[id].in === 'body');
const onRecords = everyOperation.filter((id) => recordParameter(id));
const onRecordsWithBody = withBody.filter((id) => recordParameter(id));
const notJson = '{"title": ';
const withRequired = withBody.filter((id) => Object.values(bodyFields[id]).some(({ required }) => required));

describe('order of refusal', () => {
  test.each(everyOperation)('%s checks the credential (401) before everything else', async (operation) => {
    for (const ids of [foreign, unknown]) {
      const answer = await call(serve(), operation, { token: 'wt_nobody', ids, body: notJsonFor(operation) });
      expectRefusal(answer, 'invalid_credential');
    }
  });

  test.each(onRecords)('%s checks the scope (403) before it looks for the record', async (operation) => {
    const token = `wt_without_${endpoints[operation].scope}`;
    for (const ids of [foreign, unknown]) {
      const answer = await call(serve(), operation, { token, ids, body: notJsonFor(operation) });
      expectRefusal(answer, 'missing_scope');
    }
  });

  test.each(withBody)('%s checks the organization (403) before the body', async (operation) => {
    for (const body of [notJson, [], {}]) {
      expectRefusal(await call(serve(), operation, { ids: foreign, body }), 'wrong_organization');
    }
  });

  test.each(onRecordsWithBody)(
    '%s checks that the record exists (404) before the body',
    async (operation) => {
      for (const body of [notJson, [], {}]) {
        expectRefusal(await call(serve(), operation, { ids: unknown, body }), 'not_found');
      }
    },
  );

  test.each(withBody)('%s reads the JSON (400) before it checks it against the schema', async (operation) => {
    expectRefusal(await call(serve(), operation, { body: notJson }), 'malformed_json');
  });

  test.each(withRequired)('%s checks the schema before the rules', async (operation) => {
    expectRefusal(await call(serve(), operation, { body: {} }), 'validation_failed');
  });

  test('tickets.create reports the schema before a full board, and the board before its limit', async () => {
    const mock = serve();
    const api = wire(mock);
    const tickets = '/projects/prj_apollo/tickets';
    expect((await api.post(tickets, { board_id: 'brd_doing', title: 'Fills it' })).status).toBe(201);
    const full = { board_id: 'brd_doing', title: 'One too many' };
    expectRefusal(await api.post(tickets, { ...full, title: 7 }), 'validation_failed', 'title');
    expectRefusal(await api.post(tickets, full), 'wip_limit_reached', 'board_id');
    expectRefusal(await api.post(tickets, { ...full, board_id: 'brd_nobody' }), 'invalid_board', 'board_id');
  });

  test('tickets.move reports the schema before the board', async () => {
    const api = wire(serve());
    const answer = await api.post('/tickets/tkt_a/move', { board_id: 'brd_nobody', position: -1 });
    expectRefusal(answer, 'validation_failed', 'position');
  });

  test('notifications.send reports a wrong type before a wrong recipient', async () => {
    const api = wire(serve());
    const answer = await api.post('/organizations/org_acme/notifications', {
      user_ids: ['usr_nobody'],
      title: 1,
      body: 'x',
    });
    expectRefusal(answer, 'validation_failed', 'title');
  });

  test('the order holds for queries too: 401, 403, 404, then 422', async () => {
    const mock = serve();
    const query = '?per_page=0';
    const path = (project: string) => `/projects/${project}/tickets${query}`;
    expect((await wire(mock, null).get(path('prj_apollo'))).status).toBe(401);
    expect((await wire(mock, 'wt_without_tickets:read').get(path('prj_nobody'))).status).toBe(403);
    expect((await wire(mock).get(path('prj_other'))).status).toBe(403);
    expect((await wire(mock).get(path('prj_nobody'))).status).toBe(404);
    expect((await wire(mock).get(path('prj_apollo'))).status).toBe(422);
  });
});

const notJsonFor = (operation: (typeof everyOperation)[number]) =>
  endpoints[operation].in === 'body' ? notJson : undefined;
