import { createServer } from 'node:net';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Worktrack } from 'worktrack';
import { nodeFetch } from 'worktrack/node';
import { runs, seed } from '../properties/runs.js';
import { listenOnLoopback } from '../support/loopback.js';
import { errorOf } from '../unit/client/support/serve.js';
import { encodeResponse, listen, record, secret } from './support/listen.js';
import { listenWithTls, type TlsHandler } from './support/tls-proxy.js';

const ticket = { board_id: 'b', title: 'T' };

/** A TLS alert record, which the client receives unencrypted. */
const alert = (description: number) => Buffer.from([0x15, 3, 3, 0, 2, 2, description]);

/** Responses that are interrupted by arbitrary TLS records after the request has been written. */
const brokenTls = fc.record({
  response: fc.constantFrom(
    undefined,
    'HTTP/1.1 201 Cre',
    'HTTP/1.1 201 Created\r\ncontent-length: 19\r\n\r\n{"data"',
    `HTTP/1.1 201 Created\r\ncontent-length: 19\r\n\r\n${record}`,
  ),
  wait: fc.nat(5),
  records: fc.array(
    fc.oneof(
      fc.nat(255).map(alert),
      fc
        .tuple(fc.constantFrom(20, 21, 22, 23, 24), fc.uint8Array({ maxLength: 40 }))
        .map(([type, payload]) => Buffer.from([type, 3, 3, 0, payload.length, ...payload])),
      fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    ),
    { minLength: 1, maxLength: 3 },
  ),
});

describe.each([
  ['fetch', {}],
  ['nodeFetch()', { fetch: nodeFetch({ rejectUnauthorized: false }) }],
])('a request sent with %s', (_, options) => {
  // fetch doesn't have an option to accept the test certificate.
  beforeEach(() => void vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0'));
  afterEach(() => void vi.unstubAllEnvs());

  const clientOf = (baseUrl: string) =>
    new Worktrack({ baseUrl, token: secret, retry: { limit: 2, maxDelay: 1 }, timeout: 1500, ...options });

  it.each<[string, TlsHandler]>([
    ['a handshake alert', (_, inject) => inject(alert(40))],
    ['a certificate alert', (_, inject) => inject(alert(116))],
    ['a protocol version alert', (_, inject) => inject(alert(70))],
    ['plain text', (_, inject) => inject('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['the end of the connection', (socket) => socket.end()],
  ])('is sent once and has the outcome `unknown` if it was written before %s', async (_, onRequest) => {
    const { origin, requests } = await listenWithTls(onRequest);
    // fetch ignores TLS errors after the handshake, so the attempt times out.
    expect(await errorOf(clientOf(origin).tickets.create('p', ticket))).toMatchObject({
      name: expect.stringMatching(/^(ConnectionError|RequestTimeoutError)$/),
      outcome: 'unknown',
      attempts: 1,
    });
    expect(requests).toHaveLength(1);
  });

  it('has the outcome `done` if TLS fails after the start of a successful response', async () => {
    const { origin, requests } = await listenWithTls((socket, inject) => {
      socket.write('HTTP/1.1 201 Created\r\ncontent-length: 500\r\n\r\n{"data":', () =>
        setTimeout(inject, 50, 'plain text'),
      );
    });
    expect(await errorOf(clientOf(origin).tickets.create('p', ticket))).toMatchObject({
      outcome: 'done',
      attempts: 1,
    });
    expect(requests).toHaveLength(1);
  });

  it("is not repeated if the TLS handshake fails, because the error code doesn't tell when", async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections++;
      socket.on('error', () => {}).once('data', () => socket.end(alert(40)));
    });
    const port = await listenOnLoopback(server);
    const error = await errorOf(clientOf(`https://127.0.0.1:${port}`).tickets.create('p', ticket));
    expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown', attempts: 1 });
    expect(connections).toBe(1);
  });

  it('is sent at most once, no matter how TLS fails', { timeout: 3_600_000 }, async () => {
    const property = fc.asyncProperty(brokenTls, async (script) => {
      const { origin, requests } = await listenWithTls((socket, inject) => {
        if (script.response) socket.write(script.response);
        setTimeout(inject, script.wait, Buffer.concat(script.records));
      });
      const client = clientOf(origin).withOptions({
        timeout: 60,
        totalTimeout: 200,
        responseValidation: 'off',
      });
      const outcome = await client.tickets.create('p', ticket).then(
        () => 'created',
        ({ outcome }) => outcome,
      );
      expect(requests.length).toBeLessThanOrEqual(1);
      if (requests.length) expect(outcome).toMatch(/^(unknown|done|created)$/);
    });
    await fc.assert(property, { numRuns: runs({ quick: 20, long: 1000 }), seed });
  });
});

it('a custom fetch can retry a request', async () => {
  const { requests, client } = await listen((socket, _, index) =>
    socket.end(encodeResponse(index ? '200 OK' : '503 Unavailable', record)),
  );
  const retrying: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    return response.ok ? response : fetch(...request);
  };
  expect(await client({ fetch: retrying, retry: 0 }).tickets.get('t')).toEqual({ id: 'x' });
  expect(requests).toHaveLength(2);
});
