import { describe, expect, it } from 'vitest';
import { ConfigurationError, InvalidRequestError, Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';

// Other APIs and SDKs use these names. In plain JavaScript, there's no compiler to reject a wrong name.

const connect = () => {
  const mock = createMockServer();
  return { mock, client: new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch }) };
};

describe('a field name from another API', () => {
  const board = { board_id: 'brd_1', title: 'Radio' };
  it.each<[string, string, (client: Worktrack) => PromiseLike<unknown>]>([
    [
      'description',
      'tickets.create: unknown field "description"; did you mean "description_html"?',
      (client) => client.tickets.create('prj_1', { ...board, description: 'Static' } as never),
    ],
    [
      'description',
      'tickets.update: unknown field "description"; did you mean "description_html"?',
      (client) => client.tickets.update('tkt_1', { description: 'Static' } as never),
    ],
    [
      'assignees',
      'tickets.create: unknown field "assignees"; did you mean "assignee_ids"?',
      (client) => client.tickets.create('prj_1', { ...board, assignees: ['usr_ada'] } as never),
    ],
    [
      'board_id',
      'tickets.update: unknown field "board_id"; use tickets.move',
      (client) => client.tickets.update('tkt_1', { board_id: 'brd_2' } as never),
    ],
    [
      'position',
      'tickets.update: unknown field "position"; use tickets.move or tickets.reorder',
      (client) => client.tickets.update('tkt_1', { position: 0 } as never),
    ],
    [
      'content',
      'documents.create: unknown field "content"; did you mean "content_html"?',
      (client) => client.documents.create({ title: 'Runbook', content: 'x' } as never),
    ],
    [
      'body',
      'tickets.comments.create: body_html is required; unknown field "body"; did you mean "body_html"?',
      (client) => client.tickets.comments.create('tkt_1', { body: 'Fixed' } as never),
    ],
  ])('"%s" is rejected with a suggestion: %s', async (field, message, run) => {
    const { mock, client } = connect();
    const error = await run(client).then(undefined, (reason: unknown) => reason);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({ message, outcome: 'not_sent' });
    expect(Object.keys((error as InvalidRequestError).fieldErrors)).toContain(field);
    expect(mock.requests.all()).toEqual([]);
  });
});

describe('an option name from another SDK', () => {
  const options = { baseUrl: 'https://work.example.com', organization: 'org_acme' };
  it.each([
    [{ maxRetries: 3 }, 'unknown option "maxRetries"; did you mean "retry"?'],
    [{ retries: 3 }, 'unknown option "retries"; did you mean "retry"?'],
    [{ apiKey: 'wt_secret' }, 'unknown option "apiKey"; did you mean "token"?'],
    [{ accessToken: 'wt_secret' }, 'unknown option "accessToken"; did you mean "token"?'],
    [{ auth: 'wt_secret' }, 'unknown option "auth"; did you mean "token"?'],
    [{ defaultHeaders: {} }, 'unknown option "defaultHeaders"; did you mean "headers"?'],
  ])('is rejected by the client with a suggestion: %o', (option, message) => {
    const create = () => new Worktrack({ ...options, ...option } as never);
    expect(create).toThrow(ConfigurationError);
    expect(create).toThrow(new RegExp(`${message.replace('?', '\\?')}$`));
    expect(create).not.toThrow(/wt_secret/);
  });
});
