import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createMockServer } from 'worktrack/mock-server';
import { world } from './support/server.js';

const base = 'http://worktrack.test/api/v1';
const ticket = `${base}/tickets/tkt_1`;
const headers = { authorization: 'Bearer wt_ci' };

type Call = [input: string | URL, init?: RequestInit | null];

/** Sends a request and returns the response or error, along with the journal entries. */
async function outcome(...[input, init]: Parameters<typeof fetch>): Promise<unknown> {
  const mock = createMockServer({ world });
  const response = await mock.fetch(input, init).then(
    async (received) => [received.status, await received.text()],
    // Compare only the name of the error, because messages vary by platform.
    (error: Error) => error.name,
  );
  const entries = mock.requests.all().map(({ duration: _, ...entry }) => entry);
  return { response, entries };
}

describe('mock.fetch', () => {
  const tickets = `${base}/projects/prj_apollo/tickets`;
  const patch = (body: BodyInit): Call => [ticket, { method: 'PATCH', headers, body }];
  const calls: Record<string, Call> = {
    'a GET request': [ticket, { headers }],
    'a URL object with a query and a fragment': [
      new URL(`${tickets}?per_page=1#top`),
      { headers: new Headers(headers) },
    ],
    'a path with dot segments': [`${base}/tickets/../tickets/./tkt_1`, { headers: Object.entries(headers) }],
    'a path with spaces and non-ASCII characters': [`${base}/tickets/ä b`, { headers }],
    'a header name in capitals': [ticket, { headers: { AUTHORIZATION: 'Bearer wt_ci' } }],
    'a URL without options': [ticket],
    'a URL with null as options': [ticket, null],
    'a URL with a question mark in its fragment': [`${ticket}#x?y`, { headers }],
    'a URL with a query and a question mark in its fragment': [
      `${tickets}?per_page=1#x?per_page=2`,
      { headers },
    ],
    'a body that starts with a byte order mark': patch('\uFEFF{"title":"Marked"}'),
    'a body with a byte order mark in the middle': patch('{"title":"\uFEFFMarked"}'),
    'a body with a lone surrogate': patch('{"title":"\uD83D half"}'),
    'a body with a surrogate pair': patch('{"title":"\uD83D\uDE80 whole"}'),
    'a PATCH request with a string body': patch('{"title":"Née"}'),
    'a POST request without a body': [`${base}/projects`, { method: 'POST', headers, body: null }],
    'an empty body': [`${base}/projects`, { method: 'POST', headers, body: '' }],
    'a method in lower case': [ticket, { method: 'get', headers }],
    "a method that the API doesn't support": [ticket, { method: 'OPTIONS', headers }],
    'a binary body': patch(new TextEncoder().encode('{"title":"Bytes"}')),
    'a form body': patch(new URLSearchParams({ title: 'Form' })),
    'a GET request with a body': [ticket, { headers, body: 'x' }],
    'a forbidden method': [ticket, { method: 'TRACE', headers }],
    'an invalid header value': [ticket, { headers: { authorization: 'a\nb' } }],
    'an invalid redirect mode': [ticket, { headers, redirect: 'sideways' as RequestRedirect }],
    'an invalid signal': [ticket, { headers, signal: {} as AbortSignal }],
    'a URL with a password': ['http://me:secret@worktrack.test/api/v1/tickets/tkt_1', { headers }],
    'a URL with a user name': ['http://me@worktrack.test/api/v1/tickets/tkt_1', { headers }],
    'a forbidden mode': [ticket, { headers, mode: 'navigate' }],
    'an invalid URL': ['http://', { headers }],
    'a relative URL': ['/api/v1/tickets/tkt_1', { headers }],
  };

  test.each(Object.entries(calls))('handles %s like the equivalent Request', async (_, [input, init]) => {
    // mock.fetch creates a Request only for unusual options, such as keepalive.
    const byRequest = await outcome(input, { ...init, keepalive: false });

    expect(await outcome(input, init as RequestInit)).toEqual(byRequest);
  });

  test('ignores the fragment of a URL', async () => {
    const { response } = (await outcome(`${ticket}#x?y`, { headers })) as { response: [number] };

    expect(response[0]).toBe(200);
  });

  test('accepts a Request, along with options that override it', async () => {
    const request = () => new Request(ticket, { headers });
    const plain = await outcome(ticket, { headers });

    expect(await outcome(request())).toEqual(plain);
    expect(await outcome(request(), {})).toEqual(plain);
    expect(await outcome(request(), null as unknown as RequestInit)).toEqual(plain);
    expect(await outcome(request(), { method: 'DELETE' })).toMatchObject({ response: [204, ''] });
  });
});

describe('mock.fetch with a URL', () => {
  const { signal } = new AbortController();
  test.each<[string, string, RequestInit | undefined, number]>([
    ['a GET request', ticket, { headers }, 200],
    ['an HTTPS URL', 'https://worktrack.test/api/v1/tickets/tkt_1', { headers }, 200],
    ['a URL without options', ticket, undefined, 401],
    [
      'all options the client sets',
      ticket,
      { method: 'GET', headers, redirect: 'manual', signal, body: null },
      200,
    ],
    ['a PATCH request', ticket, { method: 'PATCH', headers, body: '{"title":"New"}' }, 200],
    ['a DELETE request', ticket, { method: 'DELETE', headers }, 204],
    ['a POST request without a body', `${base}/tickets/tkt_1/move`, { method: 'POST', headers }, 422],
    [
      'a PUT request',
      `${base}/projects/prj_apollo/tickets/reorder`,
      { method: 'PUT', headers, body: '{"board_id":"x","ticket_ids":[]}' },
      422,
    ],
  ])("doesn't create a Request for %s", async (_, url, init, status) => {
    const mock = createMockServer({ world, baseUrl: new URL(url).origin });
    const create = vi.spyOn(globalThis, 'Request');
    onTestFinished(() => create.mockRestore());

    expect((await mock.fetch(url, init)).status).toBe(status);
    expect(create).not.toHaveBeenCalled();
  });
});

test('an override always receives a Request', async () => {
  const mock = createMockServer({ world });
  const seen: Request[] = [];
  mock.override('tickets.update', ({ request }, next) => {
    seen.push(request);
    return next();
  });
  const init = { method: 'PATCH', headers: { ...headers, 'x-trace': '1' }, body: '{"title":"Seen"}' };
  const { signal } = new AbortController();

  await mock.fetch(ticket, { ...init, signal });
  await mock.fetch(new Request(ticket, init));

  for (const request of seen) {
    expect(request).toBeInstanceOf(Request);
    expect([request.method, request.url]).toEqual(['PATCH', ticket]);
    expect(Object.fromEntries(request.headers)).toMatchObject({
      authorization: 'Bearer wt_ci',
      'content-type': 'text/plain;charset=UTF-8',
      'x-trace': '1',
    });
  }
  expect(seen).toHaveLength(2);
});
