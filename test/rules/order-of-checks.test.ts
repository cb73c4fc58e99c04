import { describe, expect, test } from 'vitest';
import type { ErrorCode, OperationId } from 'worktrack/contract';
import { everyOperation, operations } from '../support/operations.js';
import { expectUnchanged } from './expect-unchanged.js';
import { expectError } from './expectations.js';
import {
  type CallOptions,
  call,
  foreign,
  onRecords,
  rawApi,
  recordParameter,
  unknown,
  withBody,
} from './requests.js';
import { serve } from './world.js';

const hasBody = (id: OperationId) => Object.keys(operations[id].body).length > 0;
const notJson = '{"title": ';
const notJsonFor = (id: OperationId) => (hasBody(id) ? notJson : undefined);

/** Sends every request to one server. Expects this error and no changes each time. */
async function expectErrors(
  ids: readonly OperationId[],
  requests: (id: OperationId) => readonly CallOptions[],
  code: ErrorCode,
): Promise<void> {
  const mock = serve();
  for (const id of ids) {
    for (const options of requests(id)) {
      expectError(await call(mock, id, options), code, undefined, `${id} ${JSON.stringify(options)}`);
    }
  }
  await expectUnchanged(mock);
}

describe('order of checks', () => {
  test('E-2 every operation checks the credential (401) before anything else', async () => {
    const token = 'wt_nobody';
    const requests = (id: OperationId) =>
      [foreign, unknown].map((ids) => ({ token, ids, body: notJsonFor(id) }));
    await expectErrors(everyOperation, requests, 'invalid_credential');
  });

  test('E-2 every operation checks the scope (403) before it looks up the record', async () => {
    const requests = (id: OperationId) =>
      [foreign, unknown].map((ids) => ({
        token: `wt_without_${operations[id].scope}`,
        ids,
        body: notJsonFor(id),
      }));
    await expectErrors(onRecords, requests, 'missing_scope');
  });

  test('E-2 every operation checks the organization (403) before it validates the body', async () => {
    const requests = () => [notJson, [], {}].map((body) => ({ ids: foreign, body }));
    await expectErrors(withBody, requests, 'wrong_organization');
  });

  test('E-2 every operation checks that the record exists (404) before it validates the body', async () => {
    const requests = () => [notJson, [], {}].map((body) => ({ ids: unknown, body }));
    const ids = withBody.filter((id) => recordParameter(id));
    await expectErrors(ids, requests, 'not_found');
  });

  test('E-2 tickets.create checks the fields before the board, and the board before its WIP limit', async () => {
    const api = rawApi(serve());
    const tickets = '/projects/prj_apollo/tickets';
    expect((await api.post(tickets, { board_id: 'brd_doing', title: 'Fills it' })).status).toBe(201);
    const full = { board_id: 'brd_doing', title: 'One too many' };
    expectError(await api.post(tickets, { ...full, title: 7 }), 'validation_failed', 'title');
    expectError(await api.post(tickets, full), 'wip_limit_reached', 'board_id');
    expectError(await api.post(tickets, { ...full, board_id: 'brd_nobody' }), 'invalid_board', 'board_id');
  });

  test('E-2 tickets.create checks the assignees and labels before the board and its WIP limit', async () => {
    const api = rawApi(serve());
    await api.patch('/boards/brd_doing', { wip_limit: 1 });
    const boards = [{ board_id: 'brd_nobody' }, { board_slug: 'nothing' }, { board_id: 'brd_doing' }];
    for (const board of boards) {
      const body = { ...board, title: 'x', assignee_ids: ['usr_nobody'], label_ids: ['lbl_nobody'] };
      const response = await api.post('/projects/prj_apollo/tickets', body);
      expectError(response, 'invalid_relation');
      expect(Object.keys(response.body.errors)).toEqual(['assignee_ids.0', 'label_ids.0']);
    }
  });

  test('E-2 an operation checks its fields before the records that they refer to, and a board before its tickets', async () => {
    const mock = serve();
    mock.add.board({ id: 'brd_full', project: 'prj_other', wip_limit: 1, tickets: [{ title: 'Full' }] });
    const cases: [OperationId, body: object, code: ErrorCode, field: string][] = [
      ['tickets.reorder', { board_id: 'brd_x', ticket_ids: ['tkt_x'] }, 'invalid_board', 'board_id'],
      ['boards.delete', { move_to_board_id: 'brd_full' }, 'invalid_target_board', 'move_to_board_id'],
      ['tickets.move', { board_id: 'brd_x', position: -1 }, 'validation_failed', 'position'],
      ['notifications.send', { user_ids: ['x'], title: 1, body: 'x' }, 'validation_failed', 'title'],
    ];
    for (const [id, body, code, field] of cases) expectError(await call(mock, id, { body }), code, field, id);
  });

  test('E-2 tickets.list checks the credential, scope, organization, and record before the query', async () => {
    const mock = serve();
    const path = (project: string) => `/projects/${project}/tickets?per_page=0`;
    expect((await rawApi(mock, null).get(path('prj_apollo'))).status).toBe(401);
    expect((await rawApi(mock, 'wt_without_tickets:read').get(path('prj_nobody'))).status).toBe(403);
    expect((await rawApi(mock).get(path('prj_other'))).status).toBe(403);
    expect((await rawApi(mock).get(path('prj_nobody'))).status).toBe(404);
    expect((await rawApi(mock).get(path('prj_apollo'))).status).toBe(422);
  });
});
