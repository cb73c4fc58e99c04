import { describe, expect, onTestFinished, test } from 'vitest';
import { createMockServer, type MockServer } from 'worktrack/mock-server';
import { send, world } from './support/server.js';

describe('request processing', () => {
  test('an endless body is rejected with 413 when it reaches the limit, and its stream is canceled', async () => {
    const mock = createMockServer({ world, bodyLimit: 1000 });
    let sent = 0;
    let stopped = false;
    const body = new ReadableStream({
      pull(controller) {
        sent += 100;
        controller.enqueue(new Uint8Array(100));
      },
      cancel() {
        stopped = true;
        throw new Error('not heeded');
      },
    });
    const request = { method: 'PATCH', headers: { authorization: 'Bearer wt_ci' }, body, duplex: 'half' };

    const response = await mock.fetch('http://worktrack.test/api/v1/tickets/tkt_1', request as RequestInit);

    expect([response.status, stopped]).toEqual([413, true]);
    expect(sent).toBeLessThan(1500);
  });

  test('a body is decoded correctly even if a character is split across two chunks', async () => {
    const mock = createMockServer({ world });
    const pieces = [...new TextEncoder().encode('{"title":"Grüße 🎉"}')].map((byte) => Uint8Array.of(byte));
    const body = new ReadableStream({
      pull(controller) {
        const piece = pieces.shift();
        if (piece) controller.enqueue(piece);
        else controller.close();
      },
    });
    const request = { method: 'PATCH', headers: { authorization: 'Bearer wt_ci' }, body, duplex: 'half' };

    const response = await mock.fetch('http://worktrack.test/api/v1/tickets/tkt_1', request as RequestInit);

    expect((await response.json()).data.title).toBe('Grüße 🎉');
  });
});

describe('the server state', () => {
  test('can be restored, along with the clock, from the same snapshot any number of times', async () => {
    const mock = createMockServer({ world });
    await send(mock, 'POST', '/tickets/tkt_1/move', { board_id: 'brd_todo' });
    const snapshot = mock.snapshot();
    const create = () =>
      send(mock, 'POST', '/projects/prj_apollo/tickets', { board_id: 'brd_todo', title: 'T' });
    const first = await create();
    mock.clock.advance(1000);
    await send(mock, 'DELETE', '/projects/prj_apollo');

    mock.restore(snapshot);
    expect((await create()).json).toEqual(first.json);
    mock.restore(snapshot);

    expect(mock.clock.now().toISOString()).toBe('2026-01-01T00:00:00.000Z');
    expect(mock.state.tickets.all().map(({ id }) => id)).toEqual(['tkt_1', 'tkt_2']);
  });

  test('has a new revision after each change', async () => {
    const mock = createMockServer({ world });
    const changes = [
      () => send(mock, 'PATCH', '/tickets/tkt_1', { title: 'New' }),
      () => mock.add.ticket({ board: 'brd_todo' }),
      () => mock.reset(),
    ];
    const revisions = [mock.revision];
    for (const change of changes) {
      await change();
      revisions.push(mock.revision);
      await send(mock, 'GET', '/tickets/tkt_1');
      expect(mock.revision).toBe(revisions.at(-1));
    }

    expect(new Set(revisions).size).toBe(4);
  });

  test("can't be restored from another server's snapshot", () => {
    const snapshot = createMockServer().snapshot();

    expect(() => createMockServer().restore(snapshot)).toThrow('another server');
  });
});

describe('mock.fetch', () => {
  test('rejects a request to another origin with an error that shows both URLs', async () => {
    const mock = createMockServer();

    await expect(mock.fetch('http://worktrack.test.example/api/v1')).rejects.toMatchObject({
      cause: {
        message: expect.stringContaining(
          "http://worktrack.test.example/api/v1 doesn't match this mock server's origin, http://worktrack.test.",
        ),
      },
    });
    expect(() => mock.requests.expectNoUnhandled()).toThrow('http://worktrack.test.example/api/v1');
  });

  test('rejects with the abort reason if the signal is aborted before or during the request', async () => {
    const mock = createMockServer({ world });
    const reason = new Error('enough');
    const early = AbortSignal.abort(reason);
    await expect(mock.fetch('http://worktrack.test/api/v1/x', { signal: early })).rejects.toBe(reason);

    const controller = new AbortController();
    const pending = mock.fetch('http://worktrack.test/api/v1/tickets/tkt_1', {
      method: 'PATCH',
      headers: { authorization: 'Bearer wt_ci' },
      body: new ReadableStream(),
      duplex: 'half',
      signal: controller.signal,
    } as RequestInit);
    controller.abort(reason);
    await expect(pending).rejects.toBe(reason);
  });

  test('rejects with the abort reason even if the body also fails, and handles the error of the body', async () => {
    const unhandled: unknown[] = [];
    const listener = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', listener);
    onTestFinished(() => {
      process.off('unhandledRejection', listener);
    });
    const reason = new Error('enough');
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) });
    const request = new Request('http://worktrack.test/api/v1/tickets/tkt_1', {
      method: 'PATCH',
      headers: { authorization: 'Bearer wt_ci' },
      body,
      duplex: 'half',
      signal: AbortSignal.abort(reason),
    } as RequestInit);

    await expect(createMockServer({ world }).handle(request)).rejects.toBe(reason);
    // Node.js reports unhandled rejections before it runs timers.
    await new Promise((resolve) => setTimeout(resolve));
    expect(unhandled).toEqual([]);
  });

  test('responds only to URLs under its base URL, which can include a path', async () => {
    const mock = createMockServer({ world, baseUrl: 'https://host.example/spaces/a/api/v1/' });
    const headers = { authorization: 'Bearer wt_ci' };
    const get = (url: string) => mock.fetch(url, { headers });

    expect(mock.clientOptions().baseUrl).toBe('https://host.example/spaces/a');
    expect((await get('https://host.example/spaces/a/api/v1/tickets/tkt_1')).status).toBe(200);
    expect((await get('https://host.example/api/v1/tickets/tkt_1')).status).toBe(404);
  });
});

describe("a request that doesn't match any operation", () => {
  const messageOf = async (mock: MockServer, method: string, url: string) =>
    (await (await mock.fetch(url, { method })).json()).message;

  test.each([
    ['a typo', 'GET', '/ticket/tkt_1', 'GET /tickets/{ticket} (tickets.get)'],
    ['a typo in the last word', 'POST', '/tickets/tkt_1/moves', 'POST /tickets/{ticket}/move (tickets.move)'],
    ['a trailing slash', 'PATCH', '/tickets/tkt_1/', 'PATCH /tickets/{ticket} (tickets.update)'],
    ['a missing parent', 'POST', '/tickets', 'POST /projects/{project}/tickets (tickets.create)'],
    ['a missing ID', 'GET', '/organizations', 'GET /organizations/{organization} (organization.get)'],
    ['an unnecessary parent', 'DELETE', '/projects/p/boards/b', 'DELETE /boards/{board} (boards.delete)'],
    ['the wrong parent', 'GET', '/projects/p/documents', 'GET /organizations/{organization}/documents'],
    ['an unknown last word', 'GET', '/projects/p/users', 'GET /projects/{project} (projects.get)'],
    ['the wrong method', 'GET', '/document/d/comments', 'POST /documents/{document}/comments'],
    ['the wrong method and a typo', 'PUT', '/board/b', 'PATCH /boards/{board} (boards.update)'],
  ])('gets a suggestion for %s: %s %s', async (_, method, path, suggestion) => {
    const url = `http://worktrack.test/api/v1${path}`;

    expect(await messageOf(createMockServer(), method, url)).toContain(
      `No operation matches ${method} /api/v1${path}. Did you mean ${suggestion.replace(' ', ' /api/v1')}`,
    );
  });

  test.each([
    ['/', ' Paths start with /api/v1.'],
    ['/api/v10', ' Paths start with /api/v1.'],
    ['/api/v1', ''],
    ['/api/v1/users', ''],
    [
      '/projects/prj/members',
      ' Paths start with /api/v1. Did you mean GET /api/v1/projects/{project}/members (projects.members.list)?',
    ],
  ])('gets an error that explains the problem with %s', async (path, hint) => {
    expect(await messageOf(createMockServer(), 'GET', `http://worktrack.test${path}`)).toBe(
      `No operation matches GET ${path}.${hint}`,
    );
  });

  test('is shown in the error message without the path of the base URL', async () => {
    const mock = createMockServer({ baseUrl: 'http://worktrack.test/work' });

    expect(await messageOf(mock, 'GET', 'http://worktrack.test/work/api/v1/nothing')).toBe(
      'No operation matches GET /api/v1/nothing.',
    );
    expect(await messageOf(mock, 'GET', 'http://worktrack.test/nothing')).toBe(
      'No operation matches GET /nothing. Paths start with /api/v1.',
    );
  });

  test("causes mock.fetch to reject if `unhandled` is 'error'", async () => {
    const mock = createMockServer({ world, unhandled: 'error' });

    await expect(
      mock.fetch('http://worktrack.test/api/v1/tickets/tkt_1/moves', { method: 'POST' }),
    ).rejects.toMatchObject({
      message: 'fetch failed',
      cause: {
        name: 'UnhandledRequestError',
        message: expect.stringContaining('Did you mean POST /api/v1/tickets/{ticket}/move (tickets.move)?'),
      },
    });
    expect((await send(mock, 'GET', '/tickets/tkt_1')).status).toBe(200);
  });
});

describe('mock.requests.expectNoUnhandled', () => {
  test.each([
    ['a 404', {}, '/tickts/tkt_1', '(GET /api/v1/tickts/tkt_1) → 404 not_found'],
    ['a 405', {}, '/tickets/tkt_1/move', '(GET /api/v1/tickets/tkt_1/move) → 405 method_not_allowed'],
    ['a network error', { unhandled: 'error' as const }, '/nothing', '(GET /api/v1/nothing) → 0'],
  ])("lists a request that doesn't match any operation: %s", async (_, options, path, summary) => {
    const mock = createMockServer({ world, ...options });
    await send(mock, 'GET', '/tickets/tkt_1');
    mock.requests.expectNoUnhandled();

    await send(mock, 'GET', path).catch(() => {});

    expect(() => mock.requests.expectNoUnhandled()).toThrow(
      `Expected no unhandled requests, but received 1:\n  req_000002 no operation ${summary}\n    `,
    );
  });
});

describe('mock.clientOptions', () => {
  test('returns the given credential and organization, or the first ones', () => {
    expect(createMockServer().clientOptions()).toEqual({
      baseUrl: 'http://worktrack.test',
      token: 'wt_default',
      organization: 'org_default',
      responseValidation: 'throw',
    });
    const mock = createMockServer({ world });
    const read = { token: 'wt_read', organization: 'org_acme' };
    expect(mock.clientOptions({ token: 'wt_read' })).toMatchObject(read);
    expect(() => mock.clientOptions({ organization: 'org_other' })).toThrow('"org_other"');
    const other = { organization: 'org_other', token: 'wt_other' };
    mock.credentials.add(other);
    expect(mock.clientOptions({ organization: 'org_other' })).toMatchObject(other);
  });
});
