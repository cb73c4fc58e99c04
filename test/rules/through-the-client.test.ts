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
import { endpoints, everyOperation } from '../contract/endpoints.js';
import { everyBodyField } from '../contract/fields.js';
import { calls } from './client-calls.js';
import { bodies, call, foreign, own, recordParameter, unknown } from './requests.js';
import { type Mock, serve } from './world.js';

const onRecords = everyOperation.filter((id) => recordParameter(id));

/** A client of the server's first organization, and how many requests it has sent. */
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

/** The error that a call ends in. */
async function failure(promise: PromiseLike<unknown>): Promise<unknown> {
  return Promise.resolve(promise).then(
    () => expect.fail('the call should have failed'),
    (error: unknown) => error,
  );
}

describe('through the client', () => {
  test.each(everyOperation)('%s gives what the server answers', async (operation) => {
    const { client, sent } = connect(serve());
    const result = (await calls[operation](client, own, bodies[operation])) as { data?: unknown } | undefined;
    const { body } = await call(serve(), operation);
    const paginated = operation === 'tickets.list' || operation === 'documents.list';
    if (paginated) expect(result?.data).toEqual(body.data.data);
    else expect(result).toEqual(body?.data);
    expect(sent.count).toBe(1);
  });

  test.each(everyOperation)('%s throws an AuthenticationError for an unknown token', async (operation) => {
    const { client } = connect(serve(), 'wt_nobody');
    const error = await failure(calls[operation](client, own, bodies[operation]));
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({
      operation,
      status: 401,
      reason: 'invalid_credential',
      outcome: 'rejected',
    });
  });

  test.each(everyOperation)('%s throws a PermissionDeniedError without its scope', async (operation) => {
    const { client } = connect(serve(), `wt_without_${endpoints[operation].scope}`);
    const error = await failure(calls[operation](client, own, bodies[operation]));
    expect(error).toBeInstanceOf(PermissionDeniedError);
    expect(error).toMatchObject({ operation, status: 403, reason: 'missing_scope', outcome: 'rejected' });
  });

  test.each(everyOperation)(
    '%s throws a PermissionDeniedError for another organization',
    async (operation) => {
      const { client } = connect(serve());
      const error = await failure(
        calls[operation](client, foreign, bodies[operation], { organization: 'org_other' }),
      );
      expect(error).toBeInstanceOf(PermissionDeniedError);
      expect(error).toMatchObject({
        operation,
        status: 403,
        reason: 'wrong_organization',
        outcome: 'rejected',
      });
    },
  );

  test.each(onRecords)('%s throws a NotFoundError for an unknown record', async (operation) => {
    const { client } = connect(serve());
    const error = await failure(calls[operation](client, unknown, bodies[operation]));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ operation, status: 404, reason: 'not_found', outcome: 'rejected' });
  });

  test.each(onRecords)('%s throws a NotFoundError once the record is deleted', async (operation) => {
    const mock = serve();
    await call(mock, `${recordParameter(operation) as 'project'}s.delete` as OperationId);
    const error = await failure(calls[operation](connect(mock).client, own, bodies[operation]));
    expect(error).toBeInstanceOf(NotFoundError);
  });

  test.each(refusals())('$operation throws an UnprocessableError: $reason', async (row) => {
    const { operation, body, reason, field } = row;
    const error = await failure(calls[operation](connect(serve()).client, own, body));
    expect(error).toBeInstanceOf(UnprocessableError);
    expect(error).toMatchObject({ operation, status: 422, reason, outcome: 'rejected', attempts: 1 });
    expect(Object.keys((error as UnprocessableError).fieldErrors)).toContain(field);
  });

  test.each(everyBodyField)('$operation sends nothing when $name is of a wrong type', async (row) => {
    const { operation, name } = row;
    const { client, sent } = connect(serve());
    const error = await failure(
      calls[operation](client, own, { ...bodies[operation], [name]: { not: 'it' } }),
    );
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({ operation, outcome: 'not_sent', attempts: 0 });
    expect(Object.keys((error as InvalidRequestError).fieldErrors)).toContain(name);
    expect(sent.count).toBe(0);
  });

  test.each(everyBodyField.filter(({ field }) => field.maxLength))(
    '$operation sends $field.maxLength characters of $name, and nothing when there is one more',
    async ({ operation, name, field: { maxLength = 0 } }) => {
      const { client, sent } = connect(serve());
      const text = '\u{1F680}'.repeat(maxLength);
      await calls[operation](client, own, { ...bodies[operation], [name]: text });
      expect(sent.count).toBe(1);
      const error = await failure(
        calls[operation](client, own, { ...bodies[operation], [name]: `${text}x` }),
      );
      expect(error).toBeInstanceOf(InvalidRequestError);
      expect(sent.count).toBe(1);
    },
  );
});

/** A refusal by a rule for each operation and reason that can have one. */
function refusals(): {
  operation: OperationId;
  body: Record<string, unknown>;
  reason: string;
  field: string;
}[] {
  const ticket = { board_id: 'brd_todo', title: 'x' };
  const notice = { user_ids: ['usr_bob'], title: 'x', body: 'x' };
  const row = (operation: OperationId, reason: string, field: string, body: Record<string, unknown>) => ({
    operation,
    reason,
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
