import { describe, expect, it } from 'vitest';
import { operationOf } from 'worktrack/contract';
import { errorOf, json, serve } from './support/serve.js';

const move = { board_id: 'b' };
const ticket = { board_id: 'b', title: 'T' };
const done = { data: { id: 'x' } };

describe('a call that is safe to retry', () => {
  it.each([408, 429, 500, 502, 503, 504])('is retried after %i', async (status) => {
    const { client, seen } = await serve((out, _, index) => json(out, index < 2 ? status : 200, done));
    expect(await client().tickets.move('t', move)).toEqual({ id: 'x' });
    expect(seen).toHaveLength(3);
  });

  it.each([400, 401, 403, 404, 409, 422, 501])("isn't retried after %i", async (status) => {
    const { client, seen } = await serve((out) => json(out, status, {}));
    expect(await errorOf(client().tickets.get('t'))).toMatchObject({ status, attempts: 1 });
    expect(seen).toHaveLength(1);
  });

  it('is retried after a connection reset and a timeout', async () => {
    const { client, seen } = await serve((out, _, index) => {
      if (index === 0) out.destroy();
      else if (index === 2) json(out, 200, done);
    });
    const { attempts } = await client({ timeout: 500 }).tickets.get('t').withResponse();
    expect([attempts, seen.length]).toEqual([3, 3]);
  });

  it('fails with the last error, which counts the attempts', async () => {
    const { client } = await serve((out) => json(out, 503, { message: 'Busy.' }));
    expect(await errorOf(client().tickets.get('t'))).toMatchObject({ name: 'ServerError', attempts: 3 });
    expect(await errorOf(client({ retry: 0 }).tickets.get('t'))).toMatchObject({ attempts: 1 });
    expect(await errorOf(client().tickets.get('t', { retry: { limit: 1 } }))).toMatchObject({ attempts: 2 });
  });
});

describe("a call that isn't safe to retry", () => {
  it.each([408, 500, 502, 503, 504])("isn't retried after %i", async (status) => {
    const { client, seen } = await serve((out) => json(out, status, {}));
    expect(await errorOf(client().tickets.create('p', ticket))).toMatchObject({ status, attempts: 1 });
    expect(seen).toHaveLength(1);
  });

  it('is retried after a 429', async () => {
    const { client, seen } = await serve((out, _, index) => json(out, index ? 201 : 429, done));
    expect(await client().tickets.create('p', ticket)).toEqual({ id: 'x' });
    expect(seen).toHaveLength(2);
  });

  it("isn't retried after a reset, and the outcome is unknown", async () => {
    const { client, seen } = await serve((out) => out.destroy());
    expect(await errorOf(client().tickets.create('p', ticket))).toMatchObject({
      name: 'ConnectionError',
      outcome: 'unknown',
      attempts: 1,
    });
    expect(seen).toHaveLength(1);
  });

  it('is retried if no connection is established, and the outcome is not_sent', async () => {
    const { client, server } = await serve(() => {});
    await new Promise((resolve) => server.close(resolve));
    expect(await errorOf(client().tickets.create('p', ticket))).toMatchObject({
      name: 'ConnectionError',
      outcome: 'not_sent',
      attempts: 3,
      message: expect.stringMatching(
        /^tickets\.create: no response from http:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED/,
      ),
    });
  });
});

describe('Retry-After', () => {
  it('can be in seconds', async () => {
    const { client, seen } = await serve((out, _, index) =>
      json(out, index ? 200 : 503, done, { 'retry-after': '0.02' }),
    );
    await client().tickets.get('t');
    expect(seen).toHaveLength(2);
  });

  it('can be a date', async () => {
    const { client, seen } = await serve((out, _, index) =>
      json(out, index ? 200 : 503, done, { 'retry-after': new Date(0).toUTCString() }),
    );
    await client().tickets.get('t');
    expect(seen).toHaveLength(2);
  });

  it.each([
    ['the default maxRetryAfter', '61', {}],
    ['the deadline', '10', { deadline: 5000 }],
    ['a custom maxRetryAfter', '1', { retry: { maxRetryAfter: 999 } }],
  ])('beyond %s fails the call immediately with the server’s error', async (_, after, options) => {
    const { client, seen } = await serve((out) =>
      json(out, 429, { message: 'Slow down.' }, { 'retry-after': after }),
    );
    expect(await errorOf(client(options).tickets.get('t'))).toMatchObject({
      name: 'RateLimitError',
      retryAfter: Number(after),
      attempts: 1,
    });
    expect(seen).toHaveLength(1);
  });
});

describe('lost responses', () => {
  it.each([
    ['a reset', (out: import('node:http').ServerResponse) => out.destroy()],
    ['a 502', (out: import('node:http').ServerResponse) => json(out, 502, {})],
  ])('a DELETE that is retried after %s and gets a 404 has succeeded', async (_, lose) => {
    const { client, seen } = await serve((out, _request, index) => (index ? json(out, 404, {}) : lose(out)));
    expect(await client().tickets.delete('t')).toBeUndefined();
    expect(seen).toHaveLength(2);
  });

  it.each([403, 422, 501])(
    'a DELETE that is retried after a reset and gets a %i has failed',
    async (status) => {
      const { client } = await serve((out, _, index) => (index ? json(out, status, {}) : out.destroy()));
      expect(await errorOf(client().tickets.delete('t'))).toMatchObject({
        status,
        outcome: 'unknown',
        attempts: 2,
      });
    },
  );

  it('a DELETE whose first attempt gets a 404 has failed', async () => {
    const { client } = await serve((out) => json(out, 404, {}));
    expect(await errorOf(client().tickets.delete('t'))).toMatchObject({
      name: 'NotFoundError',
      outcome: 'rejected',
    });
  });

  it('a DELETE that gets a 404 after a 429 has failed', async () => {
    const { client } = await serve((out, _, index) => json(out, index ? 404 : 429, {}));
    expect(await errorOf(client().tickets.delete('t'))).toMatchObject({ name: 'NotFoundError' });
  });

  it('the outcome of a write stays unknown after a lost response, whatever the next attempt gets', async () => {
    const { client } = await serve((out, _, index) => (index ? json(out, 422, {}) : out.destroy()));
    expect(await errorOf(client().tickets.move('t', move))).toMatchObject({
      name: 'UnprocessableError',
      outcome: 'unknown',
      attempts: 2,
    });
  });

  it('the outcome of a write is done if a later attempt succeeds, even with an invalid body', async () => {
    const { client } = await serve((out, _, index) => (index ? out.end('<html>') : out.destroy()));
    expect(await errorOf(client().tickets.move('t', move))).toMatchObject({
      name: 'InvalidResponseError',
      outcome: 'done',
      attempts: 2,
    });
  });

  it('the outcome of a read is rejected after an error response, even if an earlier response was lost', async () => {
    const { client } = await serve((out, _, index) => (index ? json(out, 404, {}) : out.destroy()));
    expect(await errorOf(client().tickets.get('t'))).toMatchObject({
      name: 'NotFoundError',
      outcome: 'rejected',
      attempts: 2,
    });
  });

  it('a body that is cut off after a success fails a write with the outcome done and the partial body', async () => {
    const { client, seen } = await serve((out) => {
      out.writeHead(200, { 'content-length': 100 }).write('{"data":');
      setTimeout(() => out.destroy(), 10);
    });
    expect(operationOf('tickets.update').idempotent).toBe(true);
    const error = await errorOf(client().tickets.update('t', { title: 'U' }));
    expect(error).toMatchObject({
      name: 'ConnectionError',
      outcome: 'done',
      status: 200,
      body: '{"data":',
      attempts: 1,
      message: expect.stringMatching(
        /^tickets\.update: the response from http:\/\/127\.0\.0\.1:\d+ \(200\) was cut off: ./,
      ),
    });
    expect(seen).toHaveLength(1);
  });

  it('a read is retried if its body is cut off', async () => {
    const { client, seen } = await serve((out, _, index) => {
      if (index) return json(out, 200, done);
      out.writeHead(200, { 'content-length': 100 }).write('{"data":');
      setTimeout(() => out.destroy(), 10);
    });
    expect(await client().tickets.get('t')).toEqual({ id: 'x' });
    expect(seen).toHaveLength(2);
  });
});
