import { describe, expect, test, vi } from 'vitest';
import { createMockServer } from 'worktrack/mock-server';
import { world } from './support/server.js';

const base = 'http://worktrack.test/api/v1';
const headers = { authorization: 'Bearer wt_ci' };

/** What came of a request: its answer or its error, and what the journal says of it. */
async function outcome(...[input, init]: Parameters<typeof fetch>): Promise<unknown> {
  const mock = createMockServer({ world });
  const answer = await mock.fetch(input, init).then(
    async (response) => [response.status, await response.text()],
    // The platform words its refusals as it likes; ours come as they are.
    (error: Error) => error.name,
  );
  const entries = mock.requests.all().map(({ duration: _, ...entry }) => entry);
  return { answer, entries };
}

describe('mock.fetch makes of an address and options what a Request of them says', () => {
  const calls: Record<string, [string | URL, (RequestInit | null)?]> = {
    'a GET': [`${base}/tickets/tkt_1`, { headers }],
    'a GET by URL, with a query and a fragment': [
      new URL(`${base}/projects/prj_apollo/tickets?per_page=1#top`),
      { headers: new Headers(headers) },
    ],
    'steps in the path': [`${base}/tickets/../tickets/./tkt_1`, { headers: Object.entries(headers) }],
    'a path with spaces and letters beyond ASCII': [`${base}/tickets/ä b`, { headers }],
    'a header in capitals': [`${base}/tickets/tkt_1`, { headers: { AUTHORIZATION: 'Bearer wt_ci' } }],
    'no options': [`${base}/tickets/tkt_1`],
    'null for options': [`${base}/tickets/tkt_1`, null],
    'a fragment with a question mark': [`${base}/tickets/tkt_1#x?y`, { headers }],
    'a query, and a fragment with a question mark': [
      `${base}/projects/prj_apollo/tickets?per_page=1#x?per_page=2`,
      { headers },
    ],
    'text with a byte order mark': [
      `${base}/tickets/tkt_1`,
      { method: 'PATCH', headers, body: '\uFEFF{"title":"Marked"}' },
    ],
    'text with a byte order mark within': [
      `${base}/tickets/tkt_1`,
      { method: 'PATCH', headers, body: '{"title":"\uFEFFMarked"}' },
    ],
    'text with half a character': [
      `${base}/tickets/tkt_1`,
      { method: 'PATCH', headers, body: '{"title":"\uD83D half"}' },
    ],
    'text with a whole character of two halves': [
      `${base}/tickets/tkt_1`,
      { method: 'PATCH', headers, body: '{"title":"\uD83D\uDE80 whole"}' },
    ],
    'a PATCH with text': [`${base}/tickets/tkt_1`, { method: 'PATCH', headers, body: '{"title":"Née"}' }],
    'a POST without a body': [`${base}/projects`, { method: 'POST', headers, body: null }],
    'an empty body': [`${base}/projects`, { method: 'POST', headers, body: '' }],
    'a method in small letters': [`${base}/tickets/tkt_1`, { method: 'get', headers }],
    'a method that the API does not know': [`${base}/tickets/tkt_1`, { method: 'OPTIONS', headers }],
    'bytes for a body': [
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
    // As an option that is out of the ordinary, it takes the way through a Request.
    const byRequest = await outcome(input, { ...init, keepalive: false });

    expect(await outcome(input, init as RequestInit)).toEqual(byRequest);
  });

  test('what stands after # is no part of the path', async () => {
    const { answer } = (await outcome(`${base}/tickets/tkt_1#x?y`, { headers })) as { answer: [number] };

    expect(answer[0]).toBe(200);
  });

  test('a Request, and a Request with options over it', async () => {
    const request = () => new Request(`${base}/tickets/tkt_1`, { headers });
    const plain = await outcome(`${base}/tickets/tkt_1`, { headers });

    expect(await outcome(request())).toEqual(plain);
    expect(await outcome(request(), {})).toEqual(plain);
    expect(await outcome(request(), null as unknown as RequestInit)).toEqual(plain);
    expect(await outcome(request(), { method: 'DELETE' })).toMatchObject({ answer: [204, ''] });
  });
});

describe('no Request is made of what the client sends', () => {
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

test('an override sees a Request, whichever way it was sent', async () => {
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
