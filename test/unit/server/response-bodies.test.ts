import { describe, expect, test } from 'vitest';
import { Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';

const apollo = {
  organizations: [
    {
      id: 'org_acme',
      name: 'Acme',
      projects: [{ id: 'prj_apollo', name: 'Apollo', boards: [{ id: 'brd_todo', name: 'To do' }] }],
    },
  ],
};

function serve() {
  const mock = createMockServer({ world: apollo });
  const client = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch, retry: { limit: 0 } });
  return { mock, client };
}

describe('responseBody', () => {
  test('is recorded for a record, a page, an error, and a fault', async () => {
    const { mock, client } = serve();
    const body = () => mock.requests.last()?.responseBody;

    await client.organization.get();
    expect(body()).toEqual({ data: { id: 'org_acme', name: 'Acme', ...anyTimes } });
    await client.tickets.list('prj_apollo');
    expect(body()).toMatchObject({ data: { data: [], total: 0 } });
    await expect(client.tickets.get('tkt_none')).rejects.toThrow();
    expect(body()).toEqual({ code: 'not_found', message: 'No ticket has the ID "tkt_none".' });
    mock.faults.add({ status: 502, body: 'Bad gateway' });
    await expect(client.organization.get()).rejects.toThrow();
    expect(body()).toBe('Bad gateway');
  });

  test('is a string if the body is nested more than 200 levels deep', async () => {
    const { mock, client } = serve();
    const nested = `${'['.repeat(201)}${']'.repeat(201)}`;
    mock.faults.add({ status: 500, body: nested });
    await expect(client.organization.get()).rejects.toThrow();

    expect(mock.requests.last()?.responseBody).toBe(nested);
  });

  test('is undefined if the response has no body or its body exceeds 65,536 characters', async () => {
    const { mock, client } = serve();
    const description_html = 'x'.repeat(2 ** 16);

    const { id } = await client.tickets.create('prj_apollo', {
      board_id: 'brd_todo',
      title: 'T',
      description_html,
    });
    expect(mock.requests.last('tickets.create')?.responseBody).toBeUndefined();
    await client.tickets.delete(id);
    expect(mock.requests.last('tickets.delete')?.responseBody).toBeUndefined();
  });

  test('is recorded for a page of records', async () => {
    const { mock, client } = serve();
    await client.tickets.create('prj_apollo', { board_id: 'brd_todo', title: 'T' });
    await client.tickets.list('prj_apollo');

    expect(mock.requests.last()?.responseBody).toMatchObject({ data: { data: [{ title: 'T' }], total: 1 } });
  });

  test('is kept for bodies of up to 65,536 characters, and for the latest 1,048,576 in total', async () => {
    const { mock } = serve();
    const receive = async (length: number) => {
      mock.faults.add({ status: 500, body: 'x'.repeat(length), times: 1 });
      await mock.fetch('http://worktrack.test/api/v1/organizations/org_acme');
    };
    /** Returns the lengths of the recorded bodies, oldest first. */
    const lengths = () =>
      mock.requests.all().map(({ responseBody }) => (responseBody as string | undefined)?.length);

    await receive(2 ** 16 + 1);
    expect(lengths()).toEqual([undefined]);
    mock.requests.clear();
    for (let count = 0; count < 16; count += 1) await receive(2 ** 16);
    expect(lengths()).toEqual(Array(16).fill(2 ** 16));
    await receive(1);
    expect(lengths()).toEqual([undefined, ...Array(15).fill(2 ** 16), 1]);
    mock.requests.clear();
    for (let count = 0; count < 16; count += 1) await receive(2 ** 16);
    expect(lengths()).toEqual(Array(16).fill(2 ** 16));
  });

  test('is kept for the latest requests, up to 1,048,576 characters in total', async () => {
    const { mock, client } = serve();
    const description_html = 'x'.repeat(60_000);
    for (let count = 0; count < 20; count++) {
      await client.tickets.create('prj_apollo', { board_id: 'brd_todo', title: 'T', description_html });
    }

    const withBody = mock.requests.all().filter(({ responseBody }) => responseBody !== undefined);
    expect(withBody.length).toBe(Math.floor(2 ** 20 / JSON.stringify(withBody[0]?.responseBody).length));
    expect(withBody.at(-1)?.id).toBe(mock.requests.last()?.id);
    mock.requests.clear();
    await client.organization.get();
    expect(mock.requests.last()?.responseBody).toBeDefined();
  });

  test('is kept when older requests finish later and are dropped because they exceed `journalBytes`', async () => {
    const mock = createMockServer({ world: apollo, journalBytes: 100_000 });
    const client = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });
    const { id } = await client.tickets.create('prj_apollo', {
      board_id: 'brd_todo',
      title: 'T',
      description_html: 'x'.repeat(64_000),
    });
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    mock.override('tickets.get', async (_, next) => {
      await opened;
      return next();
    });
    const { baseUrl, token } = mock.clientOptions();
    const headers = { authorization: `Bearer ${token}` };
    // Each of these requests takes up about 100 kB in the journal because of its URL.
    const url = `${baseUrl}/api/v1/tickets/${id}?${'x'.repeat(16_000)}`;
    const requests = Array.from({ length: 20 }, () => mock.fetch(url, { headers }));
    await client.organization.get();
    open();
    await Promise.all(requests);

    expect(mock.requests.all().map(({ operation }) => operation)).toEqual(['organization.get']);
    expect(mock.requests.last()?.responseBody).toBeDefined();
  });
});

const anyTimes = { created_at: expect.any(String), updated_at: expect.any(String) };
