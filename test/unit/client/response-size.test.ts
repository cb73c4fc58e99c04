import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type ClientOptions, Worktrack } from 'worktrack';
import { nodeFetch } from 'worktrack/node';
import { errorOf, serve } from './support/serve.js';

const longJson = JSON.stringify({ data: { id: 't', title: 'x'.repeat(1_000_000) } });

async function serveGzip(status: number) {
  const { origin } = await serve((out) =>
    out.writeHead(status, { 'content-encoding': 'gzip' }).end(gzipSync(longJson)),
  );
  return origin;
}

const fetches: [name: string, create: () => ClientOptions['fetch']][] = [
  ['fetch', () => undefined],
  ['nodeFetch()', nodeFetch],
];

describe.each(fetches)('maxResponseBytes over %s', (_, createFetch) => {
  const create = (baseUrl: string, maxResponseBytes: number) =>
    new Worktrack({
      baseUrl,
      token: 'wt_secret',
      responseValidation: 'off',
      retry: 0,
      maxResponseBytes,
      fetch: createFetch(),
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
