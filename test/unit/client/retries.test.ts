import { describe, expect, it } from 'vitest';
import { operationOf } from 'worktrack/contract';
import { errorOf, json, serve } from './support/serve.js';

const move = { board_id: 'b' };
const ticket = { board_id: 'b', title: 'T' };
const done = { data: { id: 'x' } };

describe('what is safe to repeat', () => {
  it.each([408, 429, 500, 502, 503, 504])('is repeated after %i', async (status) => {
    const { client, seen } = await serve((out, _, index) => json(out, index < 2 ? status : 200, done));
    expect(await client().tickets.move('t', move)).toEqual({ id: 'x' });
    expect(seen).toHaveLength(3);
  });

  it.each([400, 401, 403, 404, 409, 422, 501])('is not repeated after %i', async (status) => {
    const { client, seen } = await serve((out) => json(out, status, {}));
    expect(await errorOf(client().tickets.get('t'))).toMatchObject({ status, attempts: 1 });
    expect(seen).toHaveLength(1);
  });

  it('is repeated after a connection reset and an attempt timed out', async () => {
    const { client, seen } = await serve((out, _, index) => {
      if (index === 0) out.destroy();
      else if (index === 2) json(out, 200, done);
    });
    const { attempts } = await client({ timeout: 500 }).tickets.get('t').withResponse();
    expect([attempts, seen.length]).toEqual([3, 3]);
  });

  it('ends with the last error, which counts the attempts', async () => {
    const { client } = await serve((out) => json(out, 503, { message: 'Busy.' }));
    expect(await errorOf(client().tickets.get('t'))).toMatchObject({ name: 'ServerError', attempts: 3 });
    expect(await errorOf(client({ retry: 0 }).tickets.get('t'))).toMatchObject({ attempts: 1 });
    expect(await errorOf(client().tickets.get('t', { retry: { limit: 1 } }))).toMatchObject({ attempts: 2 });
  });
});

describe('what is not safe to repeat', () => {
  it.each([408, 500, 502, 503, 504])('is not repeated after %i', async (status) => {
    const { client, seen } = await serve((out) => json(out, status, {}));
    expect(await errorOf(client().tickets.create('p', ticket))).toMatchObject({ status, attempts: 1 });
    expect(seen).toHaveLength(1);
  });

  it('is repeated after 429, which did nothing', async () => {
    const { client, seen } = await serve((out, _, index) => json(out, index ? 201 : 429, done));
    expect(await client().tickets.create('p', ticket)).toEqual({ id: 'x' });
    expect(seen).toHaveLength(2);
  });

  it('is not repeated after a reset, and the error says that the outcome is unknown', async () => {
    const { client, seen } = await serve((out) => out.destroy());
    expect(await errorOf(client().tickets.create('p', ticket))).toMatchObject({
      name: 'ConnectionError',
      outcome: 'unknown',
      attempts: 1,
    });
    expect(seen).toHaveLength(1);
  });

  it('is repeated while no connection is made, and the error says that nothing was sent', async () => {
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
  it('is waited for in seconds', async () => {
    const { client, seen } = await serve((out, _, index) =>
      json(out, index ? 200 : 503, done, { 'retry-after': '0.02' }),
    );
    await client().tickets.get('t');
    expect(seen).toHaveLength(2);
  });

  it('may be a date', async () => {
    const { client, seen } = await serve((out, _, index) =>
      json(out, index ? 200 : 503, done, { 'retry-after': new Date(0).toUTCString() }),
    );
    await client().tickets.get('t');
    expect(seen).toHaveLength(2);
  });

  it.each([
    ['its cap', '61', {}],
    ['the deadline', '10', { deadline: 5000 }],
    ['a cap of one’s own', '1', { retry: { maxRetryAfter: 999 } }],
  ])('beyond %s ends the call at once with the server’s error', async (_, after, options) => {
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

describe('answers that were lost', () => {
  it.each([
    ['a reset', (out: import('node:http').ServerResponse) => out.destroy()],
    ['a 502', (out: import('node:http').ServerResponse) => json(out, 502, {})],
  ])('a DELETE repeated after %s that meets 404 has succeeded', async (_, lose) => {
    const { client, seen } = await serve((out, _request, index) => (index ? json(out, 404, {}) : lose(out)));
    expect(await client().tickets.delete('t')).toBeUndefined();
    expect(seen).toHaveLength(2);
  });

  it.each([403, 422, 501])('a DELETE repeated after a reset that meets %i has not', async (status) => {
    const { client } = await serve((out, _, index) => (index ? json(out, status, {}) : out.destroy()));
    expect(await errorOf(client().tickets.delete('t'))).toMatchObject({
      status,
      outcome: 'unknown',
      attempts: 2,
    });
  });

  it('a DELETE that meets 404 at once has not', async () => {
    const { client } = await serve((out) => json(out, 404, {}));
    expect(await errorOf(client().tickets.delete('t'))).toMatchObject({
      name: 'NotFoundError',
      outcome: 'rejected',
    });
  });

  it('a DELETE that meets 404 after a 429 has not', async () => {
    const { client } = await serve((out, _, index) => json(out, index ? 404 : 429, {}));
    expect(await errorOf(client().tickets.delete('t'))).toMatchObject({ name: 'NotFoundError' });
  });

  it('a write whose first answer was lost stays of unknown outcome, whatever the next attempt met', async () => {
    const { client } = await serve((out, _, index) => (index ? json(out, 422, {}) : out.destroy()));
    expect(await errorOf(client().tickets.move('t', move))).toMatchObject({
      name: 'UnprocessableError',
      outcome: 'unknown',
      attempts: 2,
    });
  });

  it('a write whose first answer was lost is done once a success comes, whatever is wrong with its body', async () => {
    const { client } = await serve((out, _, index) => (index ? out.end('<html>') : out.destroy()));
    expect(await errorOf(client().tickets.move('t', move))).toMatchObject({
      name: 'InvalidResponseError',
      outcome: 'done',
      attempts: 2,
    });
  });

  it('a read has no outcome that could be unknown once it was refused', async () => {
    const { client } = await serve((out, _, index) => (index ? json(out, 404, {}) : out.destroy()));
    expect(await errorOf(client().tickets.get('t'))).toMatchObject({
      name: 'NotFoundError',
      outcome: 'rejected',
      attempts: 2,
    });
  });

  it('a body cut off after a success is an error of a write that is done, with what was read', async () => {
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

  it('a body cut off in the answer to a read is read again', async () => {
    const { client, seen } = await serve((out, _, index) => {
      if (index) return json(out, 200, done);
      out.writeHead(200, { 'content-length': 100 }).write('{"data":');
      setTimeout(() => out.destroy(), 10);
    });
    expect(await client().tickets.get('t')).toEqual({ id: 'x' });
    expect(seen).toHaveLength(2);
  });
});
