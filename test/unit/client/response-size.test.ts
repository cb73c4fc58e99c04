import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Transport, Worktrack } from 'worktrack';
import { nodeTransport } from 'worktrack/node';
import { errorOf, serve } from './support/serve.js';

const longJson = JSON.stringify({ data: { id: 't', title: 'x'.repeat(1_000_000) } });

async function serveGzip(status: number) {
  const { origin } = await serve((out) =>
    out.writeHead(status, { 'content-encoding': 'gzip' }).end(gzipSync(longJson)),
  );
  return origin;
}

const transports: [name: string, transport: () => Transport | undefined][] = [
  ['fetch', () => undefined],
  ['nodeTransport()', nodeTransport],
];

describe.each(transports)('maxResponseBytes over %s', (_, transport) => {
  const create = (baseUrl: string, maxResponseBytes: number) =>
    new Worktrack({
      baseUrl,
      token: 'wt_secret',
      responseValidation: 'off',
      retry: 0,
      maxResponseBytes,
      transport: transport(),
    });

  it('makes a write fail with the outcome `done` if the decompressed response body exceeds the limit', async () => {
    const client = create(await serveGzip(201), 500_000);
    const error = await errorOf(client.tickets.create('p', { board_id: 'b', title: 'T' }));
    expect(error).toMatchObject({
      name: 'InvalidResponseError',
      outcome: 'done',
      status: 201,
      attempts: 1,
      message: expect.stringContaining('is longer than 500000 bytes (option "maxResponseBytes")'),
    });
    expect((error as { body?: unknown }).body).toBeUndefined();
  });

  it('accepts a body of exactly the maximum size and rejects a larger body', async () => {
    const origin = await serveGzip(200);
    expect(await create(origin, longJson.length).tickets.get('t')).toMatchObject({ id: 't' });
    expect(await errorOf(create(origin, longJson.length - 1).tickets.get('t'))).toMatchObject({
      name: 'InvalidResponseError',
    });
  });

  it('truncates the body of an error response without changing the error class', async () => {
    const error = await errorOf(create(await serveGzip(404), 100).tickets.get('t'));
    expect(error).toMatchObject({ name: 'NotFoundError', outcome: 'rejected' });
    expect(error).toMatchObject({ body: longJson.slice(0, 100) });
  });
});

it('the client enforces maxResponseBytes even if a custom transport ignores it', async () => {
  const transport: Transport = async () => ({
    status: 200,
    headers: new Headers(),
    read: async () => ({ text: longJson }),
    discard() {},
  });
  const client = new Worktrack({
    baseUrl: 'http://localhost',
    token: 'wt_secret',
    maxResponseBytes: 10,
    transport,
  });
  expect(await errorOf(client.tickets.get('t'))).toMatchObject({
    name: 'InvalidResponseError',
    message: expect.stringContaining('is longer than 10 bytes'),
  });
});

it('readBody reports a failure if the body exceeds the maximum string length', async () => {
  const { readBody } = await import('../../../src/node/read-body.js');
  const { PassThrough } = await import('node:stream');
  const message = Object.assign(new PassThrough(), { headers: {} });
  const reading = readBody(message as never);
  // Simulate the error, because creating a string of more than half a gigabyte would take seconds.
  const tooLong = Object.assign(new Error('too long'), { code: 'ERR_STRING_TOO_LONG' });
  const chunk = Object.assign(Buffer.from('x'), {
    toString() {
      throw tooLong;
    },
  });
  message.write(chunk);
  message.end();
  expect(await reading).toMatchObject({ text: '', failure: { code: 'ERR_STRING_TOO_LONG' } });
});
