import { describe, expect, test } from 'vitest';
import { NotFoundError, Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';
import { defaultWire, type WireFormat } from '../../src/wire/index.js';
import { origin } from './requests.js';

/** A wire format that differs from the default in every respect. */
const wire: WireFormat = {
  ...defaultWire,
  credential: { header: 'x-api-key', scheme: '' },
  envelope: {
    encode: (data) => ({ result: data }),
    decode: (body) => ({ data: (body as { result: unknown }).result }),
  },
  page: { ...defaultWire.page, parameter: 'seite' },
  requestIdHeader: 'x-trace',
  error: {
    encode: ({ message, code }) => ({ error: { text: message, reason: code } }),
    decode: (body) => {
      const { text, reason } = (body as { error: { text: string; reason: string } }).error;
      return { message: text, code: reason };
    },
  },
};

const documents = `${origin}/api/v1/organizations/org_default/documents`;
const key = { 'x-api-key': 'wt_default' };

/** Creates a server with the custom wire format and three documents. */
const serve = () =>
  createMockServer({
    wire,
    world: {
      organizations: [
        {
          id: 'org_default',
          name: 'Default',
          credentials: [{ token: 'wt_default' }],
          documents: [{ title: 'One' }, { title: 'Two' }, { id: 'doc_3', title: 'Three' }],
        },
      ],
    },
  });

describe('custom wire formats', () => {
  test("C-1, C-27 a wire format can rename the headers and omit the credential's scheme", async () => {
    const mock = serve();
    const response = await mock.fetch(documents, { headers: key });
    expect([response.status, response.headers.get('x-trace')]).toEqual([200, 'req_000001']);
    const usual = await mock.fetch(documents, { headers: { authorization: 'Bearer wt_default' } });
    expect(usual.status).toBe(401);
  });

  test('C-27 a wire format can change the page parameter, the envelope, and the error body', async () => {
    const mock = serve();
    const page = await (await mock.fetch(`${documents}?per_page=1&seite=2`, { headers: key })).json();
    expect(page.data.data).toMatchObject([{ title: 'Two' }]);
    expect(page.data.next_page_url).toBe(`${documents}?per_page=1&seite=3`);

    const unmoved = await (await mock.fetch(`${documents}?per_page=1&page=2`, { headers: key })).json();
    expect(unmoved.data.current_page).toBe(1);
    const record = await (await mock.fetch(`${origin}/api/v1/documents/doc_3`, { headers: key })).json();
    expect(record).toMatchObject({ result: { title: 'Three' } });
    const error = await (await mock.fetch(`${origin}/api/v1/documents/doc_9`, { headers: key })).json();
    expect(error).toEqual({ error: { text: expect.stringContaining('doc_9'), reason: 'not_found' } });
  });

  test('C-27 a client can call a server that uses the same wire format', async () => {
    const mock = serve();
    const client = new Worktrack({ ...mock.clientOptions(), wire, fetch: mock.fetch });
    const all = await client.documents.list({ per_page: 1 }).toArray({ limit: 10 });
    expect(all.map(({ title }) => title)).toEqual(['One', 'Two', 'Three']);
    expect((await client.documents.get('doc_3')).title).toBe('Three');
    const error = await client.documents.get('doc_9').then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ code: 'not_found' });
  });
});
