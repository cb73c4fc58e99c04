import { describe, expect, onTestFinished, test } from 'vitest';
import { Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';
import { listen } from 'worktrack/mock-server/node';

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

describe("the journal's `responseBody`", () => {
  test('is recorded for a record, a page, an error, and a fault', async () => {
    const { mock, client } = serve();
    const body = () => mock.requests.last()?.responseBody;

    await client.organization.get();
    expect(body()).toEqual({ data: { id: 'org_acme', name: 'Acme', ...anyTimes } });
    await client.tickets.create('prj_apollo', { board_id: 'brd_todo', title: 'T' });
    await client.tickets.list('prj_apollo');
    expect(body()).toMatchObject({ data: { data: [{ title: 'T' }], total: 1 } });
    await expect(client.tickets.get('tkt_none')).rejects.toThrow();
    expect(body()).toEqual({ code: 'not_found', message: 'No ticket has the ID "tkt_none".' });
    const deep = `${'['.repeat(201)}${']'.repeat(201)}`;
    for (const text of ['Bad gateway', deep]) {
      mock.faults.add({ status: 502, body: text, times: 1 });
      await expect(client.organization.get()).rejects.toThrow();
      expect(body()).toBe(text);
    }
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

  test('is stored for bodies of up to 65,536 characters, and the oldest ones are dropped when the total exceeds 1,048,576 characters', async () => {
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

  test('is available even if older requests finish later and are dropped because they exceed `journalBytes`', async () => {
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

describe("the journal's `responseBody` for a Response from an override", () => {
  const url = 'http://worktrack.test/api/v1/organizations/org_acme';

  /** Creates a server whose `organization.get` returns the given response. */
  function serveResponse(respond: () => Response) {
    const { mock, client } = serve();
    mock.override('organization.get', respond);
    const headers = { authorization: `Bearer ${mock.clientOptions().token}` };
    return { mock, client, get: () => mock.fetch(url, { headers }), last: () => mock.requests.last() };
  }

  /** Creates a body that sends a chunk each time the client reads one, and counts the chunks. */
  function endlessBody(chunk: Uint8Array<ArrayBuffer>) {
    const calls = { pulled: 0, canceled: [] as unknown[] };
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        pull(controller) {
          calls.pulled += 1;
          controller.enqueue(chunk);
        },
        cancel: (reason) => void calls.canceled.push(reason),
      },
      { highWaterMark: 0 },
    );
    return { body, calls };
  }

  test.each([
    ['JSON', () => Response.json({ message: 'No.' }, { status: 401 }), { message: 'No.' }],
    ['text', () => new Response('teapot', { status: 418 }), 'teapot'],
    ['a character split across two chunks', () => new Response(streamOf([0xc3], [0x84])), 'Ä'],
    ['no body', () => new Response(null, { status: 204 }), undefined],
    ['an empty body', () => new Response(''), undefined],
    ['a body of 65,536 bytes', () => new Response('x'.repeat(2 ** 16)), 'x'.repeat(2 ** 16)],
    ['a longer body', () => new Response('x'.repeat(2 ** 16 + 1)), undefined],
    ['a longer body in chunks', () => new Response(streamOf(Array(2 ** 16).fill(120), [120])), undefined],
  ])('is recorded when the client reads the body: %s', async (_, respond, expected) => {
    const { get, last } = serveResponse(respond);
    const response = await get();

    expect(await response.text()).toBe(await respond().text());
    expect(last()).toMatchObject({ status: respond().status, responseBody: expected });
  });

  test('is recorded over HTTP while the server streams the response', async () => {
    const server = await listen({ world: apollo });
    onTestFinished(() => server.close());
    const { readable, writable } = new TextEncoderStream();
    const writer = writable.getWriter();
    // Node.js sends the headers together with the first chunk.
    void writer.write('tea');
    server.mock.override('organization.get', () => new Response(readable));
    const { baseUrl, token } = server.clientOptions();
    const response = await fetch(`${baseUrl}/api/v1/organizations/org_acme`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const chunks = response.body?.pipeThrough(new TextDecoderStream()).getReader();

    expect(await chunks?.read()).toMatchObject({ value: 'tea' });
    expect(server.mock.requests.last()).toMatchObject({ status: 200, responseBody: undefined });
    void writer.write('pot');
    void writer.close();
    expect([await chunks?.read(), await chunks?.read()]).toMatchObject([{ value: 'pot' }, { done: true }]);
    expect(server.mock.requests.last()?.responseBody).toBe('teapot');
  });

  test('is recorded before the client modifies the bytes or a fault truncates the body', async () => {
    const { mock, get, last } = serveResponse(() => new Response('teapot'));
    const reader = (await get()).body?.getReader();
    (await reader?.read())?.value?.fill(0);
    await reader?.read();
    expect(last()?.responseBody).toBe('teapot');
    mock.faults.add({ error: 'malformed' });

    expect(await (await get()).text()).toBe('tea');
    expect(last()?.responseBody).toBe('teapot');
  });

  test('counts toward the limit of 1,048,576 characters only while its request is in the journal', async () => {
    const { mock, get } = serveResponse(() => new Response('x'.repeat(2 ** 16)));
    const recorded = () => mock.requests.all().map(({ responseBody }) => responseBody !== undefined);
    const late = await get();
    mock.requests.clear();
    // The fault reads the first body while the request is still in flight.
    mock.faults.add({ error: 'malformed', times: 1 });
    for (let count = 0; count < 16; count += 1) await (await get()).text();
    await late.text();
    expect(recorded()).toEqual(Array(16).fill(true));
    await (await get()).text();
    expect(recorded()).toEqual([false, ...Array(16).fill(true)]);
  });

  test('is undefined for an endless body, which is read only as fast as the client reads it', async () => {
    const { body, calls } = endlessBody(new Uint8Array(2 ** 15));
    const { get, last } = serveResponse(() => new Response(body));
    const reader = (await get()).body?.getReader();
    expect(calls.pulled).toBe(0);

    const { arrayBuffers } = process.memoryUsage();
    for (let count = 1; count <= 2000; count += 1) {
      expect((await reader?.read())?.value).toHaveLength(2 ** 15);
      expect(calls.pulled).toBe(count);
    }
    // All chunks share one buffer. Copying them would take up 64 MB.
    expect(process.memoryUsage().arrayBuffers - arrayBuffers).toBeLessThan(2 ** 24);
    await reader?.cancel('enough');
    expect(calls.canceled).toEqual(['enough']);
    expect(last()).toMatchObject({ status: 200, responseBody: undefined });
  });

  test.each([
    ['before reading it', 0],
    ['after reading a part of it', 1],
    ['while reading it', 2],
  ])('is undefined if the client cancels the body %s', async (_, reads) => {
    const canceled: unknown[] = [];
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('tea')),
      cancel: (reason) => void canceled.push(reason),
    });
    const { get, last } = serveResponse(() => new Response(body));
    const reader = (await get()).body?.getReader() as ReadableStreamDefaultReader;
    const results = Array.from({ length: reads }, () => reader.read());
    // The body consists of a single chunk, so a second read has to wait.
    await nextTurn();
    await reader.cancel('enough');
    await Promise.all(results);
    await nextTurn();

    expect(canceled).toEqual(['enough']);
    expect(last()?.responseBody).toBeUndefined();
  });

  test('is undefined if the body fails, and the client gets the error', async () => {
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('tea')),
      pull: () => Promise.reject(new Error('spilled')),
    });
    const { get, last } = serveResponse(() => new Response(body));
    const response = await get();

    await expect(response.text()).rejects.toMatchObject({ message: 'spilled' });
    expect(last()?.responseBody).toBeUndefined();
  });

  test("doesn't affect the status, headers, or URL of the response", async () => {
    const upstream = new Response('teapot', { status: 418, statusText: "I'm a teapot" });
    upstream.headers.append('set-cookie', 'a=1');
    upstream.headers.append('set-cookie', 'b=2');
    for (const [name, value] of Object.entries({
      url: 'https://work.example/',
      redirected: true,
      type: 'cors',
    })) {
      Object.defineProperty(upstream, name, { value });
    }
    const propertiesOf = ({ status, statusText, headers, url, redirected, type }: Response) => {
      return { status, statusText, headers: [...headers], url, redirected, type };
    };
    const { get } = serveResponse(() => upstream);

    expect(propertiesOf(await get())).toEqual(propertiesOf(upstream));
  });

  test.each([
    ['read', (body: Response) => body.text()],
    ['started to read', (body: Response) => void body.body?.getReader().read()],
    [
      'read and released',
      async ({ body }: Response) => {
        const reader = body?.getReader();
        while (!(await reader?.read())?.done);
        reader?.releaseLock();
      },
    ],
  ])("causes the client's read to fail if the override has already %s the body", async (_, use) => {
    const used = new Response('teapot');
    await use(used);
    const { get } = serveResponse(() => used);

    await expect((await get()).text()).rejects.toThrow(TypeError);
  });
});

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

const anyTimes = { created_at: expect.any(String), updated_at: expect.any(String) };

function streamOf(...chunks: number[][]): ReadableStream {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(Uint8Array.from(chunk));
      controller.close();
    },
  });
}
