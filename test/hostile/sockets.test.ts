import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { listenOnLoopback } from '../support/loopback.js';
import { errorOf } from '../unit/client/support/serve.js';
import { encodeResponse, listen, record, type SocketHandler } from './support/listen.js';

const ticket = { board_id: 'b', title: 'T' };

/** The errors of a read, which is retried, and of a create, which isn't. */
interface Errors {
  read: object;
  create: object;
}

const lost: Errors = {
  read: { name: 'ConnectionError', attempts: 3 },
  create: { name: 'ConnectionError', attempts: 1, outcome: 'unknown' },
};

const cutOff: Errors = {
  read: { name: 'ConnectionError', attempts: 3, status: 201 },
  create: { name: 'ConnectionError', attempts: 1, outcome: 'done', status: 201 },
};

const unusable = { name: 'InvalidResponseError', attempts: 1, outcome: 'done' };

const cases: [string, SocketHandler, Errors][] = [
  ['resets the connection before it responds', (socket) => socket.resetAndDestroy(), lost],
  ['closes the connection before it responds', (socket) => socket.end(), lost],
  [
    'resets the connection in the middle of the headers',
    (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-ty', () => socket.resetAndDestroy()),
    lost,
  ],
  [
    'closes the connection in the middle of the body',
    (socket) => socket.end(encodeResponse('201 Created', '{"data":', { 'content-length': 500 })),
    { ...cutOff, create: { ...cutOff.create, body: '{"data":' } },
  ],
  [
    'closes the connection in the middle of a chunk',
    (socket) => socket.end('HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"dat'),
    cutOff,
  ],
  [
    'sends incomplete gzip data',
    (socket) => {
      const compressed = gzipSync(
        JSON.stringify({ data: { id: 'x', filler: Array.from({ length: 500 }, Math.random) } }),
      );
      socket.end(
        encodeResponse('201 Created', compressed.subarray(0, compressed.length - 200), {
          'content-encoding': 'gzip',
        }),
      );
    },
    // zlib returns the incomplete data without an error, so the JSON can't be parsed.
    { read: unusable, create: unusable },
  ],
  [
    'declares gzip but sends something else',
    (socket) => socket.end(encodeResponse('201 Created', record, { 'content-encoding': 'gzip' })),
    cutOff,
  ],
  [
    'sends gzip data with corrupt last bytes',
    (socket) => {
      const numbers = Array.from({ length: 200_000 }, (_, index) => (index * 7919) % 10_007);
      const compressed = gzipSync(JSON.stringify({ data: { id: 'x', numbers } }));
      compressed.fill(0xff, compressed.length - 400, compressed.length - 100);
      const headers = { 'content-encoding': 'gzip', connection: 'keep-alive' };
      // If the server also closed the connection, fetch in Node.js 24 would throw an uncaught AssertionError.
      socket.write(encodeResponse('201 Created', compressed, headers));
    },
    cutOff,
  ],
  ["doesn't send HTTP", (socket) => socket.end('220 mail.example ESMTP\r\n'), lost],
  [
    'sends more bytes than its Content-Length',
    (socket) => socket.end(encodeResponse('201 Created', record, { 'content-length': 10 })),
    {
      read: { ...unusable, body: '{"data":{"' },
      create: { ...unusable, body: '{"data":{"' },
    },
  ],
  [
    'never stops sending headers',
    (socket) => socket.write(`HTTP/1.1 200 OK\r\n${'x-filler: 0123456789\r\n'.repeat(20_000)}`),
    lost,
  ],
];

it.each(cases)(
  'read and create calls throw the documented errors if the server %s',
  async (_, onRequest, { read, create }) => {
    const { client } = await listen(onRequest);
    expect(await errorOf(client().tickets.get('t'))).toMatchObject({ operation: 'tickets.get', ...read });
    expect(await errorOf(client().tickets.create('p', ticket))).toMatchObject({
      operation: 'tickets.create',
      ...create,
    });
  },
);

it('a call to a closed port fails with the outcome `not_sent`', async () => {
  const { client, close } = await listen(() => {});
  close();
  expect(await errorOf(client().tickets.create('p', ticket))).toMatchObject({
    name: 'ConnectionError',
    outcome: 'not_sent',
    attempts: 3,
  });
});

it('a call to an unknown host fails with the outcome `not_sent`', async () => {
  const { client } = await listen(() => {});
  const error = await errorOf(
    client({ baseUrl: 'https://worktrack.invalid', retry: 0 }).tickets.create('p', ticket),
  );
  expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'not_sent' });
});

it('an HTTPS call to a plain HTTP server throws a ConnectionError', async () => {
  const server = createServer((socket) =>
    socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n'),
  );
  const { client } = await listen(() => {});
  const baseUrl = `https://127.0.0.1:${await listenOnLoopback(server)}`;
  const error = await errorOf(client({ baseUrl, retry: 0 }).tickets.get('t'));
  expect(error).toMatchObject({ name: 'ConnectionError', attempts: 1 });
});

describe('a slow server', () => {
  it('causes a timeout if it sends the response body byte by byte', async () => {
    const { client } = await listen((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n');
      const drip = setInterval(() => (socket.destroyed ? clearInterval(drip) : socket.write(' ')), 5);
    });
    expect(await errorOf(client({ timeout: 400, retry: 0 }).tickets.get('t'))).toMatchObject({
      name: 'RequestTimeoutError',
      limit: 'timeout',
      body: expect.stringMatching(/^ +$/),
    });
    expect(await errorOf(client({ totalTimeout: 400 }).tickets.get('t'))).toMatchObject({
      name: 'RequestTimeoutError',
      limit: 'totalTimeout',
    });
  });

  it('is disconnected when the call times out', async () => {
    let used: Socket | undefined;
    const { client } = await listen((socket) => {
      used = socket;
    });
    await errorOf(client({ timeout: 300, retry: 0 }).tickets.get('t'));
    await expect.poll(() => used?.destroyed).toBe(true);
  });
});

describe('response bodies', () => {
  it('are decoded with replacement characters if they contain invalid UTF-8', async () => {
    const { client } = await listen((socket) =>
      socket.end(encodeResponse('200 OK', Buffer.from('{"data":{"id":"\xff\xfe"}}', 'latin1'))),
    );
    expect(await client().tickets.get('t')).toEqual({ id: '\ufffd\ufffd' });
  });

  it('can be 50 MB long', async () => {
    const size = 50_000_000;
    const { client } = await listen((socket) =>
      socket.end(encodeResponse('200 OK', `{"data":{"id":"${'x'.repeat(size)}"}}`)),
    );
    const { id } = await client({ timeout: 30_000, totalTimeout: 30_000 }).tickets.get('t');
    expect(id).toHaveLength(size);
  }, 30_000);

  it('are read only up to 1 MB if the response is an error', async () => {
    const { client } = await listen((socket) => {
      socket.write('HTTP/1.1 422 No\r\ntransfer-encoding: chunked\r\n\r\n');
      const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
      const fillBuffer = () => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.on('drain', fillBuffer);
      fillBuffer();
    });
    const error = await errorOf(client().tickets.get('t'));
    expect(error).toMatchObject({ name: 'UnprocessableError', status: 422 });
    expect((error as { body: string }).body.length).toBeLessThan(2 ** 21);
  });

  it('cause the documented error if they contain JSON that is nested 100,000 levels deep', async () => {
    const deep = `{"data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const { client } = await listen((socket, _, index) =>
      socket.end(encodeResponse(index ? '422 No' : '200 OK', deep)),
    );
    expect(await errorOf(client({ responseValidation: 'throw' }).tickets.get('t'))).toMatchObject({
      name: 'InvalidResponseError',
    });
    expect(await errorOf(client().tickets.get('t'))).toMatchObject({ name: 'UnprocessableError' });
  });

  it("can't change a prototype with keys such as __proto__", async () => {
    const { client } = await listen((socket) =>
      socket.end(
        encodeResponse('422 No', '{"message":"x","errors":{"__proto__":["y"]},"__proto__":{"polluted":1}}'),
      ),
    );
    const error = await errorOf(client().tickets.get('t'));
    expect(error).toMatchObject({ name: 'UnprocessableError' });
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe('a persistent connection', () => {
  const keepAlive = { connection: 'keep-alive' };
  /** Waits until the platform returns the connection to its pool. */
  const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

  it('is replaced without an error if the server closes it after the previous call', async () => {
    let connection: Socket | undefined;
    const { client, requests } = await listen((socket) => {
      connection = socket;
      socket.write(encodeResponse('200 OK', record, keepAlive));
    });
    const testClient = client();
    for (let call = 0; call < 3; call++) {
      expect(await testClient.tickets.get('t')).toEqual({ id: 'x' });
      connection?.end();
      // The socket on the server closes only after the client has closed its side.
      await once(connection as Socket, 'close');
    }
    expect(requests).toHaveLength(3);
  });

  it('is replaced for a read, but not for a create, if the server closes it upon receiving the request', async () => {
    const used = new WeakSet<object>();
    const { client, requests } = await listen((socket) => {
      if (used.has(socket)) return socket.destroy();
      used.add(socket);
      // Writes reuse a connection only if the previous response had a Keep-Alive header.
      socket.write(encodeResponse('200 OK', record, { ...keepAlive, 'keep-alive': 'timeout=5' }));
    });
    const testClient = client();
    await testClient.tickets.get('t');
    await settled();
    const { attempts } = await testClient.tickets.get('t').withResponse();
    expect([attempts, requests.length]).toEqual([2, 3]);
    await settled();
    expect(await errorOf(testClient.tickets.create('p', ticket))).toMatchObject({
      name: 'ConnectionError',
      outcome: 'unknown',
      attempts: 1,
    });
  });
});

it.each(['301', '302', '303', '307', '308'])(
  'the client never sends its credential to the target of a %s redirect',
  async (status) => {
    const otherServer = await listen((socket) => socket.end(encodeResponse('200 OK', record)));
    const { client } = await listen((socket) =>
      socket.end(
        encodeResponse(`${status} Moved`, '', { location: `${otherServer.origin}/api/v1/tickets/t` }),
      ),
    );
    expect(await errorOf(client().tickets.get('t'))).toMatchObject({
      name: 'ApiError',
      status: Number(status),
      message: expect.stringContaining(otherServer.origin),
    });
    expect(otherServer.requests).toEqual([]);
  },
);
