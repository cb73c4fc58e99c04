import { describe, expect, it, vi } from 'vitest';
import type { ResponseMismatch } from 'worktrack';
import { clientInFrozenTime } from './support/frozen-time.js';
import { clientWith, errorOf, json, serve } from './support/serve.js';

const tag = { id: 't', name: 'ops', ticket_count: 1 };

describe('a successful response body', () => {
  it('can contain unknown fields and unknown enum values', async () => {
    const member = { id: 'u', name: 'Ada', email: 'a@x', role: 'superuser', extra: { deep: true } };
    const { client } = await serve((out) => json(out, 200, { data: [member], more: 1 }));
    expect(await client({ responseValidation: 'throw' }).projects.members.list('p')).toEqual([member]);
  });

  it('is parsed as JSON regardless of the content type or the specific 2xx status', async () => {
    const { client } = await serve((out) =>
      out.writeHead(202, { 'content-type': 'text/plain' }).end('\ufeff{"data":{"id":"x"}}'),
    );
    expect(await client().tickets.get('t')).toEqual({ id: 'x' });
  });

  it('is ignored after a DELETE request', async () => {
    const { client } = await serve((out) => out.writeHead(200).end('<p>deleted</p>'));
    expect(await client({ responseValidation: 'throw' }).tickets.delete('t')).toBeUndefined();
  });

  it('can arrive one byte at a time', async () => {
    const { client } = await serve((out) => {
      const bytes = Buffer.from(JSON.stringify({ data: { id: 'é🚀' } }));
      out.writeHead(200);
      for (const byte of bytes) out.write(Buffer.of(byte));
      out.end();
    });
    expect(await client().tickets.get('t')).toEqual({ id: 'é🚀' });
  });

  it('is canceled after a successful DELETE, even if canceling fails', async () => {
    let cancelled = 0;
    const body = () =>
      new ReadableStream({
        cancel() {
          cancelled++;
          throw new Error("can't be canceled");
        },
      });
    const client = clientWith(async () => new Response(body(), { status: 200 }));

    expect(await client.tickets.delete('t')).toBeUndefined();
    expect(cancelled).toBe(1);
  });
});

describe('a successful response', () => {
  it.each([
    ['empty', '', 'is empty', ''],
    ['invalid JSON', '<html>', "isn't valid JSON", '<html>'],
    ['truncated JSON', '{"data":', "isn't valid JSON", '{"data":'],
    ['an object without data', '{"ok":true}', 'contains no data', { ok: true }],
    ['null', 'null', 'contains no data', null],
  ])(
    'makes the call fail with an InvalidResponseError and the outcome `done` if the body is %s',
    async (_, text, problem, body) => {
      const { client, seen } = await serve((out) =>
        out.writeHead(201, { 'x-request-id': 'req_9' }).end(text),
      );
      const error = await errorOf(client().tickets.create('p', { board_id: 'b', title: 'T' }));
      expect(error).toMatchObject({
        name: 'InvalidResponseError',
        code: 'invalid_response',
        message: `tickets.create: the server performed the operation, but its response (201) ${problem}`,
        body,
        outcome: 'done',
        status: 201,
        requestId: 'req_9',
        attempts: 1,
      });
      expect(seen).toHaveLength(1);
    },
  );

  it("that isn't valid JSON makes the call fail with an InvalidResponseError whose cause is the parser's error", async () => {
    const { client } = await serve((out) => out.end('{"data":'));
    expect(await errorOf(client().tickets.get('t'))).toMatchObject({ cause: { name: 'SyntaxError' } });
  });

  it("makes the call fail with an InvalidResponseError and the outcome `done` if a page doesn't contain a list of items", async () => {
    const { client } = await serve((out) => json(out, 200, { data: {} }));
    expect(await errorOf(client().tickets.list('p'))).toMatchObject({
      name: 'InvalidResponseError',
      message: expect.stringContaining('contains no list'),
    });
  });
});

describe('responseValidation', () => {
  const wrong = { data: [tag, { ...tag, ticket_count: 'many' }, { ...tag, ticket_count: null }] };
  const fieldErrors = { '1.ticket_count': ['must be a number'], '2.ticket_count': ['must be a number'] };

  it("makes the call fail on a mismatch if set to 'throw'", async () => {
    const { client } = await serve((out) => json(out, 200, wrong));
    expect(await errorOf(client({ responseValidation: 'throw' }).projects.tags.list('p'))).toMatchObject({
      name: 'InvalidResponseError',
      outcome: 'done',
      fieldErrors,
      body: wrong,
      message:
        "projects.tags.list: the server performed the operation, but its response (200) doesn't match the contract: 1.ticket_count must be a number; 2.ticket_count must be a number",
    });
  });

  it("returns the data and logs each mismatch once per operation and field if set to 'warn' (the default)", async () => {
    const print = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { client } = await serve((out) => json(out, 200, wrong));
    const testClient = client({ responseValidation: undefined });
    expect(await testClient.projects.tags.list('p')).toEqual(wrong.data);
    await testClient.projects.tags.list('p');
    await testClient.projects.labels.list('p');
    const printed = print.mock.calls.slice();
    print.mockRestore();
    expect(printed).toMatchObject([
      [
        "worktrack: projects.tags.list: the response doesn't match the contract: *.ticket_count must be a number",
        { operation: 'projects.tags.list', fieldErrors: { '*.ticket_count': ['must be a number'] } },
      ],
      [
        "worktrack: projects.labels.list: the response doesn't match the contract: *.color is required",
        { operation: 'projects.labels.list' },
      ],
    ]);
  });

  it.each([
    ['fields of list items', { ...tag, ticket_count: 'many' }, '*.ticket_count'],
    ['list items', 'ops', '*'],
  ])(
    'logs mismatches in %s only once, regardless of how many digits the indexes have',
    async (_, item, field) => {
      const warnings: object[] = [];
      const data = [item, ...Array(11).fill(tag), item];
      const { client } = await serve((out) => json(out, 200, { data }));
      const logger = { ...console, warn: (_: string, fields: object) => void warnings.push(fields) };
      await client({ responseValidation: 'warn', logger }).projects.tags.list('p');
      expect(warnings).toEqual([
        { operation: 'projects.tags.list', fieldErrors: { [field]: [expect.any(String)] } },
      ]);
    },
  );

  it("doesn't validate responses if set to 'off'", async () => {
    const print = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { client } = await serve((out) => json(out, 200, wrong));
    expect(await client({ responseValidation: 'off' }).projects.tags.list('p')).toEqual(wrong.data);
    expect(print).not.toHaveBeenCalled();
    print.mockRestore();
  });

  it('passes mismatches to the callback without changing or logging the data', async () => {
    const mismatches: ResponseMismatch[] = [];
    const warn = vi.fn();
    const { client } = await serve((out) => json(out, 200, wrong));
    expect(
      await client({ logger: { ...console, warn } }).projects.tags.list('p', {
        responseValidation: (mismatch) => mismatches.push(mismatch),
      }),
    ).toEqual(wrong.data);
    expect(mismatches).toEqual([{ operation: 'projects.tags.list', fieldErrors, data: wrong.data }]);
    expect(warn).not.toHaveBeenCalled();
  });

  it.each([
    ['throws', () => expect.fail('not here')],
    ['rejects', () => Promise.reject(new RangeError('not here'))],
  ])('makes the call fail with an InvalidResponseError if the callback %s', async (_, throwError) => {
    const { client } = await serve((out) => json(out, 200, wrong));
    expect(await errorOf(client().projects.tags.list('p', { responseValidation: throwError }))).toMatchObject(
      {
        name: 'InvalidResponseError',
        message: expect.stringContaining(
          'was rejected by responseValidation: 1.ticket_count must be a number',
        ),
        cause: { message: 'not here' },
        outcome: 'done',
      },
    );
  });

  it("makes the call fail with the outcome `done` if the callback hasn't settled when the total timeout expires", async () => {
    const response = vi.fn();
    const { client } = clientInFrozenTime(() => Response.json(wrong), {
      totalTimeout: 300,
      responseValidation: () => new Promise<void>(() => {}),
      hooks: { response },
    });
    const error = errorOf(client.projects.tags.list('p'));
    await vi.advanceTimersByTimeAsync(300);
    expect(response).not.toHaveBeenCalled();
    expect(await error).toMatchObject({
      name: 'RequestTimeoutError',
      limit: 'totalTimeout',
      outcome: 'done',
      status: 200,
    });
  });

  it.each(['off', 'warn', 'throw', () => {}] as const)(
    'makes the call fail with an InvalidResponseError if responseValidation is %s',
    async (responseValidation) => {
      const client = clientWith(async () => Response.json({ data: null }), {
        responseValidation,
        logLevel: 'off',
      });
      for (const call of [client.tickets.get('t'), client.projects.list(), client.tickets.list('p')]) {
        expect(await errorOf(call)).toMatchObject({ name: 'InvalidResponseError', outcome: 'done' });
      }
    },
  );
});

describe('a list that is missing or null in a response', () => {
  const incomplete = () => ({ id: 't', labels: null, extra: null });

  it.each(['warn', () => {}] as const)(
    'becomes an empty list if responseValidation is %s',
    async (policy) => {
      const { client } = await serve((out, { url }) =>
        json(out, 200, { data: url.includes('projects') ? [incomplete(), incomplete()] : incomplete() }),
      );
      const { tickets } = client({ responseValidation: policy, logger: { ...console, warn() {} } });
      const filled = { id: 't', labels: [], assignees: [], tags: [], extra: null };
      expect(await tickets.get('t')).toEqual(filled);
      expect((await tickets.list('p')).data).toEqual([filled, filled]);
    },
  );

  it('is returned unchanged if responseValidation is off', async () => {
    const { client } = await serve((out) => json(out, 200, { data: incomplete() }));
    expect(await client({ responseValidation: 'off' }).tickets.get('t')).toEqual(incomplete());
  });
});

it('a write fails with an InvalidResponseError and the outcome `done` if a custom wire format throws', async () => {
  const envelope = {
    encode: (data: unknown) => data,
    decode: () => {
      throw new Error('bad envelope');
    },
  };
  const client = clientWith(async () => Response.json({ data: {} }, { status: 201 }), { wire: { envelope } });
  const error = await errorOf(client.projects.create({ name: 'Apollo', key: 'APO' }));
  expect(error).toMatchObject({
    name: 'InvalidResponseError',
    message: expect.stringContaining('can\'t be decoded (option "wire")'),
    outcome: 'done',
    cause: { message: 'bad envelope' },
  });
});
