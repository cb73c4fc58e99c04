import { describe, expect, test } from 'vitest';
import {
  AuthenticationError,
  InvalidRequestError,
  NotFoundError,
  type OperationId,
  PermissionDeniedError,
  UnprocessableError,
  Worktrack,
} from 'worktrack';
import { everyBodyField, everyOperation, operations } from '../support/operations.js';
import { call, foreign, onRecords, own, recordParameter, unknown, withBody } from './requests.js';
import { type Mock, serve } from './world.js';

/** Creates a client for `org_acme` that counts its requests. */
function connect(mock: Mock, token = 'wt_acme') {
  const sent = { count: 0 };
  const client = new Worktrack({
    ...mock.clientOptions(),
    token,
    organization: 'org_acme',
    fetch: (input, init) => {
      sent.count += 1;
      return mock.fetch(input, init);
    },
  });
  return { client, sent };
}

/** Expects a call to fail and returns its error. */
async function errorOf(promise: PromiseLike<unknown>, what: string): Promise<unknown> {
  return Promise.resolve(promise).then(
    () => expect.fail(`${what} should have failed`),
    (error: unknown) => error,
  );
}

/** Calls each operation and expects this error after one request. */
async function expectErrors(
  ids: readonly OperationId[],
  send: (id: OperationId) => PromiseLike<unknown>,
  error: new (...args: never) => unknown,
  properties: object,
): Promise<void> {
  for (const id of ids) {
    const thrown = await errorOf(send(id), id);
    expect(thrown, id).toBeInstanceOf(error);
    const expected = { operation: id, outcome: 'rejected', attempts: 1, ...properties };
    expect(thrown, id).toMatchObject(expected);
  }
}

describe('the client', () => {
  for (const id of everyOperation) {
    const { rule, call: callClient, example, returns } = operations[id];
    test(`${rule} ${id} returns the server's response after one request`, async () => {
      const { client, sent } = connect(serve());
      const result = await callClient(client, own, example);
      const { body } = await call(serve(), id);
      if (returns?.as === 'page') expect(result).toMatchObject({ data: body.data.data });
      else expect(result).toEqual(body?.data);
      expect(sent.count).toBe(1);
    });
  }

  test('C-30 every operation throws an AuthenticationError for an unknown token', async () => {
    const { client } = connect(serve(), 'wt_nobody');
    const send = (id: OperationId) => operations[id].call(client, own, operations[id].example);
    const properties = { status: 401, code: 'invalid_credential' };
    await expectErrors(everyOperation, send, AuthenticationError, properties);
  });

  test('C-30 every operation throws a PermissionDeniedError for a missing scope', async () => {
    const mock = serve();
    const send = (id: OperationId) => {
      const { scope, example, call } = operations[id];
      return call(connect(mock, `wt_without_${scope}`).client, own, example);
    };
    const properties = { status: 403, code: 'missing_scope' };
    await expectErrors(everyOperation, send, PermissionDeniedError, properties);
  });

  test('C-30 every operation throws a PermissionDeniedError for another organization', async () => {
    const { client } = connect(serve());
    const options = { organization: 'org_other' };
    const send = (id: OperationId) => operations[id].call(client, foreign, operations[id].example, options);
    const properties = { status: 403, code: 'wrong_organization' };
    await expectErrors(everyOperation, send, PermissionDeniedError, properties);
  });

  test('C-30 every operation throws a NotFoundError for an unknown or deleted record', async () => {
    const { client } = connect(serve());
    const properties = { status: 404, code: 'not_found' };
    const send = (id: OperationId) => operations[id].call(client, unknown, operations[id].example);
    await expectErrors(onRecords, send, NotFoundError, properties);
    for (const kind of ['project', 'board', 'ticket', 'document'] as const) {
      const mock = serve();
      await call(mock, `${kind}s.delete`);
      const { client } = connect(mock);
      const ids = onRecords.filter((id) => recordParameter(id) === kind);
      const send = (id: OperationId) => operations[id].call(client, own, operations[id].example);
      await expectErrors(ids, send, NotFoundError, properties);
    }
  });

  test('C-30 every operation throws an UnprocessableError with the code and field of each violated rule', async () => {
    for (const { operation, body, code, field } of brokenRules()) {
      const what = `${operation} ${code} ${field}`;
      const error = await errorOf(operations[operation].call(connect(serve()).client, own, body), what);
      expect(error, what).toBeInstanceOf(UnprocessableError);
      expect(error, what).toMatchObject({ operation, status: 422, code, outcome: 'rejected', attempts: 1 });
      expect(Object.keys((error as UnprocessableError).fieldErrors), what).toContain(field);
    }
  });

  test('C-7, F-1 no operation sends a request if a field is unknown or has the wrong type', async () => {
    const { client, sent } = connect(serve());
    const unknownFields = withBody.map((operation) => ({ operation, name: 'colour' }));
    for (const { operation, name } of [...everyBodyField, ...unknownFields]) {
      const what = `${operation} ${name}`;
      const body = { ...operations[operation].example, [name]: { not: 'it' } };
      const error = await errorOf(operations[operation].call(client, own, body), what);
      expect(error, what).toBeInstanceOf(InvalidRequestError);
      expect(error, what).toMatchObject({ operation, outcome: 'not_sent', attempts: 0 });
      expect(Object.keys((error as InvalidRequestError).fieldErrors), what).toContain(name);
    }
    expect(sent.count).toBe(0);
  });
});

/** Returns one invalid request per rule of each operation. */
function brokenRules(): {
  operation: OperationId;
  body: Record<string, unknown>;
  code: string;
  field: string;
}[] {
  const ticket = { board_id: 'brd_todo', title: 'x' };
  const notice = { user_ids: ['usr_bob'], title: 'x', body: 'x' };
  const row = (operation: OperationId, code: string, field: string, body: Record<string, unknown>) => ({
    operation,
    code,
    field,
    body,
  });
  return [
    row('boards.reorder', 'invalid_board_list', 'board_ids', { board_ids: ['brd_todo'] }),
    row('boards.delete', 'target_board_required', 'move_to_board_id', {}),
    row('boards.delete', 'invalid_target_board', 'move_to_board_id', { move_to_board_id: 'brd_zeus' }),
    row('boards.delete', 'wip_limit_reached', 'move_to_board_id', { move_to_board_id: 'brd_doing' }),
    row('tickets.create', 'invalid_board', 'board_id', { ...ticket, board_id: 'brd_zeus' }),
    row('tickets.create', 'invalid_relation', 'assignee_ids.0', { ...ticket, assignee_ids: ['usr_cat'] }),
    row('tickets.create', 'invalid_relation', 'label_ids.0', { ...ticket, label_ids: ['lbl_zeus'] }),
    row('tickets.update', 'invalid_relation', 'assignee_ids.0', { assignee_ids: ['usr_cat'] }),
    row('tickets.reorder', 'invalid_board', 'board_id', { board_id: 'brd_zeus', ticket_ids: [] }),
    row('tickets.reorder', 'invalid_ticket_list', 'ticket_ids', { board_id: 'brd_todo', ticket_ids: [] }),
    row('tickets.move', 'invalid_board', 'board_id', { board_id: 'brd_zeus' }),
    row('documents.create', 'invalid_relation', 'project_id', { title: 'x', project_id: 'prj_other' }),
    row('documents.update', 'invalid_relation', 'editor_ids.0', { editor_ids: ['usr_eve'] }),
    row('notifications.send', 'invalid_recipient', 'user_ids.0', { ...notice, user_ids: ['usr_eve'] }),
  ];
}
