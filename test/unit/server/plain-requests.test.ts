import { describe, expect, test, vi } from 'vitest';
import { createMockServer } from 'worktrack/mock-server';
import { world } from './support/server.js';

const base = 'http://worktrack.test/api/v1';
const headers = { authorization: 'Bearer wt_ci' };

/** The result of a request: its response or error, and its entries in the journal. */
async function outcome(...[input, init]: Parameters<typeof fetch>): Promise<unknown> {
  const mock = createMockServer({ world });
  const answer = await mock.fetch(input, init).then(
    async (response) => [response.status, await response.text()],
    // Only the name, because the platform's error messages vary.
    (error: Error) => error.name,
  );
  const entries = mock.requests.all().map(({ duration: _, ...entry }) => entry);
  return { answer, entries };
}

describe('mock.fetch treats a URL and options like a Request', () => {
  const calls: Record<string, [string | URL, (RequestInit | null)?]> = {
    'a GET': [`${base}/tickets/tkt_1`, { headers }],
    'a GET by URL, with a query and a fragment': [
      new URL(`${base}/projects/prj_apollo/tickets?per_page=1#top`),
      { headers: new Headers(headers) },
    ],
    'dot segments in the path': [`${base}/tickets/../tickets/./tkt_1`, { headers: Object.entries(headers) }],
    'a path with spaces and non-ASCII characters': [`${base}/tickets/ä b`, { headers }],
    'a header in capitals': [`${base}/tickets/tkt_1`, { headers: { AUTHORIZATION: 'Bearer wt_ci' } }],
    'no options': [`${base}/tickets/tkt_1`],
    'null instead of options': [`${base}/tickets/tkt_1`, null],
    'a fragment with a question mark': [`${base}/tickets/tkt_1#x?y`, { headers }],
    'a query, and a fragment with a question mark': [
      `${base}/projects/prj_apollo/tickets?per_page=1#x?per_page=2`,
      { headers },
    ],
    'a string with a byte order mark': [
      `${base}/tickets/tkt_1`,
      { method: 'PATCH', headers, body: '\uFEFF{"title":"Marked"}' },
    ],
    'a string with a byte order mark in the middle': [
      `${base}/tickets/tkt_1`,
      { method: 'PATCH', headers, body: '{"title":"\uFEFFMarked"}' },
    ],
    'a string with a lone surrogate': [
      `${base}/tickets/tkt_1`,
      { method: 'PATCH', headers, body: '{"title":"\uD83D half"}' },
    ],
    'a string with a surrogate pair': [
      `${base}/tickets/tkt_1`,
      { method: 'PATCH', headers, body: '{"title":"\uD83D\uDE80 whole"}' },
    ],
    'a PATCH with a string': [`${base}/tickets/tkt_1`, { method: 'PATCH', headers, body: '{"title":"Née"}' }],
    'a POST without a body': [`${base}/projects`, { method: 'POST', headers, body: null }],
    'an empty body': [`${base}/projects`, { method: 'POST', headers, body: '' }],
    'a method in lower case': [`${base}/tickets/tkt_1`, { method: 'get', headers }],
    "a method that the API doesn't support": [`${base}/tickets/tkt_1`, { method: 'OPTIONS', headers }],
    'bytes as the body': [
      `${base}/tickets/tkt_1`,
      { method: 'PATCH', headers, body: new TextEncoder().encode('{"title":"Bytes"}') },
    ],
    'a form for a body': [
      `${base}/tickets/tkt_1`,
      { method: 'PATCH', headers, body: new URLSearchParams({ title: 'Form' }) },
    ],
    'a body on a GET': [`${base}/tickets/tkt_1`, { headers, body: 'x' }],
    'a method that is forbidden': [`${base}/tickets/tkt_1`, { method: 'TRACE', headers }],
    'a header that HTTP does not allow': [`${base}/tickets/tkt_1`, { headers: { authorization: 'a\nb' } }],
    'a redirect mode that there is not': [
      `${base}/tickets/tkt_1`,
      { headers, redirect: 'sideways' as RequestRedirect },
    ],
    'a signal that is none': [`${base}/tickets/tkt_1`, { headers, signal: {} as AbortSignal }],
    'an address with a password': ['http://me:secret@worktrack.test/api/v1/tickets/tkt_1', { headers }],
    'an address with a user name': ['http://me@worktrack.test/api/v1/tickets/tkt_1', { headers }],
    'a mode that no program may choose': [`${base}/tickets/tkt_1`, { headers, mode: 'navigate' }],
    'an address that is none': ['http://', { headers }],
    'a path without a host': ['/api/v1/tickets/tkt_1', { headers }],
  };

  test.each(Object.entries(calls))('%s', async (_, [input, init]) => {
    // The unusual option makes it create a Request.
    const byRequest = await outcome(input, { ...init, keepalive: false });

    expect(await outcome(input, init as RequestInit)).toEqual(byRequest);
  });

  test("the fragment isn't part of the path", async () => {
    const { answer } = (await outcome(`${base}/tickets/tkt_1#x?y`, { headers })) as { answer: [number] };

    expect(answer[0]).toBe(200);
  });

  test('a Request, and a Request with options that override it', async () => {
    const request = () => new Request(`${base}/tickets/tkt_1`, { headers });
    const plain = await outcome(`${base}/tickets/tkt_1`, { headers });

    expect(await outcome(request())).toEqual(plain);
    expect(await outcome(request(), {})).toEqual(plain);
    expect(await outcome(request(), null as unknown as RequestInit)).toEqual(plain);
    expect(await outcome(request(), { method: 'DELETE' })).toMatchObject({ answer: [204, ''] });
  });
});

describe("mock.fetch creates no Request for the client's arguments", () => {
  const { signal } = new AbortController();
  test.each<[string, string, RequestInit | undefined, number]>([
    ['a GET', `${base}/tickets/tkt_1`, { headers }, 200],
    ['over https', 'https://worktrack.test/api/v1/tickets/tkt_1', { headers }, 200],
    ['no options', `${base}/tickets/tkt_1`, undefined, 401],
    [
      'all options',
      `${base}/tickets/tkt_1`,
      { method: 'GET', headers, redirect: 'manual', signal, body: null },
      200,
    ],
    ['a PATCH', `${base}/tickets/tkt_1`, { method: 'PATCH', headers, body: '{"title":"New"}' }, 200],
    ['a DELETE', `${base}/tickets/tkt_1`, { method: 'DELETE', headers }, 204],
    ['a POST without a body', `${base}/tickets/tkt_1/move`, { method: 'POST', headers }, 422],
    [
      'a PUT',
      `${base}/projects/prj_apollo/tickets/reorder`,
      { method: 'PUT', headers, body: '{"board_id":"x","ticket_ids":[]}' },
      422,
    ],
  ])('%s', async (_, url, init, status) => {
    const mock = createMockServer({ world, baseUrl: new URL(url).origin });
    vi.stubGlobal(
      'Request',
      class {
        constructor() {
          expect.fail('a Request was made');
        }
      },
    );
    try {
      expect((await mock.fetch(url, init)).status).toBe(status);
    } finally {
      vi.unstubAllGlobals();
    }
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

  await mock.fetch(`${base}/tickets/tkt_1`, { ...init, signal });
  await mock.fetch(new Request(`${base}/tickets/tkt_1`, init));

  for (const request of seen) {
    expect(request).toBeInstanceOf(Request);
    expect([request.method, request.url]).toEqual(['PATCH', `${base}/tickets/tkt_1`]);
    expect(Object.fromEntries(request.headers)).toMatchObject({
      authorization: 'Bearer wt_ci',
      'content-type': 'text/plain;charset=UTF-8',
      'x-trace': '1',
    });
  }
  expect(seen).toHaveLength(2);
});
