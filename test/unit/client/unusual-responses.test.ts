import { describe, expect, test } from 'vitest';
import {
  ConfigurationError,
  ConnectionError,
  InvalidResponseError,
  Worktrack,
  type WorktrackError,
} from 'worktrack';

const document = {
  id: 'doc_1',
  organization_id: 'org_1',
  project_id: null,
  author_id: null,
  author: null,
  api_credential_id: null,
  title: 'Runbook',
  caption: null,
  content_html: null,
  status: 'draft',
  tags: [],
  editors: [],
  published_at: null,
  archived_at: null,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};

type Options = ConstructorParameters<typeof Worktrack>[0];

const clientOf = (fetch: () => Promise<Response>, options: Options = {}) =>
  new Worktrack({
    baseUrl: 'http://127.0.0.1',
    token: 'wt_secret_token',
    organization: 'org_1',
    retry: 0,
    responseValidation: 'throw',
    ...options,
    fetch,
  });

const answering =
  (body: unknown, status = 200) =>
  async () =>
    Response.json(body, { status });

const errorOf = (promise: Promise<unknown>): Promise<WorktrackError> =>
  promise.then(
    () => expect.fail('no error'),
    (error) => error,
  );

describe('page info', () => {
  test('is validated against the contract', async () => {
    const client = clientOf(answering({ data: [document], meta: { current_page: '1', last_page: '1' } }));
    const error = await errorOf(client.documents.list());
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(Object.keys((error as InvalidResponseError).fieldErrors ?? {})).toEqual([
      'current_page',
      'per_page',
      'last_page',
      'total',
      'from',
      'to',
    ]);
  });

  test('can contain numbers as strings', async () => {
    let page = 0;
    const client = clientOf(
      async () => {
        page += 1;
        const data = [{ ...document, id: `doc_${page}` }];
        return Response.json({ data, meta: { current_page: String(page), last_page: '3' } });
      },
      { responseValidation: 'off' },
    );
    expect(await client.documents.list().toArray({ limit: 99 })).toHaveLength(3);
  });

  test('can be at the top level of the body', async () => {
    const figures = { current_page: 1, per_page: 50, last_page: 1, total: 1, from: 1, to: 1 };
    const page = await clientOf(answering({ data: [document], ...figures })).documents.list();
    expect(page).toMatchObject({ ...figures, data: [document], hasNext: false });
  });
});

describe('a write', () => {
  test('fails with an InvalidResponseError and outcome `done` if a custom wire format throws', async () => {
    const envelope = {
      encode: (data: unknown) => data,
      decode: () => {
        throw new Error('bad envelope');
      },
    };
    const client = clientOf(answering({ data: {} }, 201), { wire: { envelope } });
    const error = await errorOf(client.projects.create({ name: 'Apollo', key: 'APO' }));
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error).toMatchObject({ outcome: 'done', cause: { message: 'bad envelope' } });
    expect(error.message).toContain('can\'t be decoded (option "wire")');
  });

  test('fails with an InvalidResponseError and outcome `done` if the responseValidation callback rejects', async () => {
    const client = clientOf(answering({ data: {} }, 201), {
      responseValidation: async () => {
        throw new Error('not with me');
      },
    });
    const error = await errorOf(client.projects.create({ name: 'Apollo', key: 'APO' }));
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error).toMatchObject({ outcome: 'done', cause: { message: 'not with me' } });
  });
});

describe('an error cause', () => {
  class VaultError extends Error {
    readonly response = new Response('x');
  }

  test('keeps its class, but not fields that could contain a credential', async () => {
    const client = clientOf(answering({}), {
      token: () => Promise.reject(new VaultError('sealed')),
    });
    const error = await errorOf(client.projects.list());
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain('sealed');
    expect(error.cause).toBeInstanceOf(VaultError);
    expect((error.cause as VaultError).response).toBeUndefined();
  });

  test('can contain shared objects and getters that throw', async () => {
    let shared: object = { end: new Map() };
    for (let depth = 0; depth < 30; depth += 1) shared = { left: shared, right: shared };
    const cause = Object.defineProperty(new Error('deep', { cause: shared }), 'broken', {
      enumerable: true,
      get() {
        throw new Error('getter');
      },
    });
    const error = await errorOf(clientOf(() => Promise.reject(cause)).projects.list());
    expect(error).toBeInstanceOf(ConnectionError);
  });

  test("results in the outcome `not_sent` if connections to all of the host's IP addresses failed", async () => {
    const connectError = () => Object.assign(new Error('connect'), { code: 'ETIMEDOUT', syscall: 'connect' });
    const cause = new TypeError('fetch failed', {
      cause: Object.assign(new AggregateError([connectError(), connectError()]), { code: 'ETIMEDOUT' }),
    });
    const error = await errorOf(clientOf(() => Promise.reject(cause)).projects.list());
    expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'not_sent' });
  });
});

test('the client calls a custom fetch with `this` set to undefined', async () => {
  let self: unknown = 'never called';
  const client = clientOf(async function (this: unknown) {
    self = this;
    return Response.json({ data: [] });
  });
  await client.projects.list();
  expect(self).toBeUndefined();
});

test('the client finds an error message in a nested error object', async () => {
  const error = await errorOf(
    clientOf(answering({ error: { message: 'out of coffee' } }, 418)).projects.list(),
  );
  expect(error.message).toContain('out of coffee');
});

test('toArray rejects a missing limit', async () => {
  const list = clientOf(answering({})).documents.list();
  await expect(list.toArray(undefined as never)).rejects.toThrow(
    'documents.list: toArray: pass { limit } or { complete: true }',
  );
});

test("the client reads a response from another fetch implementation, such as undici's, without resending the request", async () => {
  const real = Response.json({ data: document });
  const { status, headers, body, type } = real;
  const sent: string[] = [];
  const client = new Worktrack({
    baseUrl: 'http://127.0.0.1:1',
    token: 'wt_secret_token',
    retry: 0,
    fetch: async (input) => {
      sent.push(String(input));
      return { status, headers, body, type } as Response;
    },
  });

  expect(await client.documents.get('doc_1')).toMatchObject({ title: 'Runbook' });
  expect(sent).toEqual(['http://127.0.0.1:1/api/v1/documents/doc_1']);
});

test("an error contains a native Headers object even if the response comes from another fetch implementation, such as undici's", async () => {
  const headers = new Map([
    ['x-request-id', 'req_7'],
    ['x-region', 'eu'],
  ]);
  const notFound = { status: 404, headers, body: null, type: 'default' } as unknown as Response;
  const error = await errorOf(clientOf(async () => notFound).documents.get('doc_1'));
  expect(error).toMatchObject({ name: 'NotFoundError', requestId: 'req_7' });
  expect((error as { headers?: Headers }).headers).toBeInstanceOf(Headers);
  expect((error as { headers?: Headers }).headers?.get('x-region')).toBe('eu');
});

test("the client reads a body that isn't a web stream, such as node-fetch's", async () => {
  const { status, headers } = Response.json({ data: document });
  const text = async () => JSON.stringify({ data: document });
  const response = { status, headers, body: { pipe() {} }, text } as unknown as Response;
  expect(await clientOf(async () => response).documents.get('doc_1')).toMatchObject({ title: 'Runbook' });
});

test.each<[string, () => Promise<Response>]>([
  [
    'has already been read',
    async () => {
      const response = Response.json({ data: document });
      await response.text();
      return response;
    },
  ],
  [
    'contains non-byte chunks',
    async () =>
      new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue('text');
            controller.close();
          },
        }),
      ),
  ],
])('a body that %s fails the call with a ConnectionError and outcome `done`', async (_, respond) => {
  const error = await errorOf(clientOf(respond).documents.get('doc_1'));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ outcome: 'done', status: 200 });
});
