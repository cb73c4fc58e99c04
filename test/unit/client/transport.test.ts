import { describe, expect, test } from 'vitest';
import { ConfigurationError, ConnectionError, type Transport, Worktrack } from 'worktrack';

const organization = {
  id: 'org_1',
  name: 'Acme',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};

const client = (transport: Transport) =>
  new Worktrack({
    baseUrl: 'http://localhost',
    token: 'wt_secret',
    organization: 'org_1',
    retry: 0,
    transport,
  });

const answer = (text: string, status = 200) => ({
  status,
  headers: new Headers({ 'x-request-id': 'req_1' }),
  read: async () => ({ text }),
  discard: () => {},
});

describe('a transport of one’s own', () => {
  test('is given the request whole, and its answer is the result', async () => {
    const sent: unknown[] = [];
    const one = client(async ({ cancellation, ...request }) => {
      sent.push(request, cancellation.signal.aborted);
      return answer(JSON.stringify({ data: organization }));
    });
    const result = await one.organization.get({ headers: { 'X-Trace': '1' } }).withResponse();
    expect(result).toMatchObject({ data: organization, requestId: 'req_1', status: 200 });
    expect(sent).toEqual([
      {
        method: 'GET',
        url: 'http://localhost/api/v1/organizations/org_1',
        headers: { accept: 'application/json', 'x-trace': '1', authorization: 'Bearer wt_secret' },
        body: undefined,
      },
      false,
    ]);
  });

  test('that fails, at once or later, is a connection without an answer', async () => {
    const broken = new Error('the cable is out of wt_secret');
    for (const transport of [
      () => {
        throw broken;
      },
      () => Promise.reject(broken),
    ]) {
      const error = await client(transport)
        .organization.get()
        .catch((caught) => caught);
      expect(error).toBeInstanceOf(ConnectionError);
      expect(error.message).toContain('the cable is out of [redacted]');
    }
  });

  test('that answers after the caller has left has its answer discarded', async () => {
    const caller = new AbortController();
    const discarded = new Promise<void>((resolve) => {
      const late = client(
        ({ cancellation }) =>
          new Promise((settle) => {
            cancellation.listen(() => settle({ ...answer('{}'), discard: resolve }));
            caller.abort();
          }),
      );
      late.organization.get({ signal: caller.signal }).catch(() => {});
    });
    await discarded;
  });

  test('and a fetch exclude each other', () => {
    expect(
      () => new Worktrack({ baseUrl: 'http://localhost', fetch, transport: async () => answer('') }),
    ).toThrow(
      new ConfigurationError('options "fetch" and "transport": give one of them, either sends the requests'),
    );
  });
});
