import { describe, expect, it } from 'vitest';
import type { ClientOptions, TokenRequest } from 'worktrack';
import { PendingTokens } from '../../../src/http/pending-tokens.js';
import { errorOf, json, secret, serve } from './support/serve.js';

/** Starts a server that accepts one credential. */
const serveTo = (valid: string) =>
  serve((out, { headers }) =>
    headers.authorization === `Bearer ${valid}`
      ? json(out, 200, { data: { id: 'x' } })
      : json(out, 401, { message: 'Who?' }),
  );

describe('a token function', () => {
  it('is called again with the rejected credential after a 401 response, and the request is retried', async () => {
    const { client, seen } = await serveTo('fresh');
    const requests: TokenRequest[] = [];
    const token = (request: TokenRequest) => {
      requests.push(request);
      return request.rejected ? 'fresh' : 'stale';
    };
    const { data, attempts } = await client({ token, retry: 0 })
      .tickets.create('p', { board_id: 'b', title: 'T' })
      .withResponse();
    expect([data, attempts, seen.length]).toEqual([{ id: 'x' }, 2, 2]);
    expect(requests).toStrictEqual([{}, { rejected: 'stale' }]);
  });

  it('is called only once if several concurrent requests are rejected', async () => {
    const { client } = await serveTo('fresh');
    const rejectedTokens: string[] = [];
    const token = async ({ rejected }: TokenRequest) => {
      if (!rejected) return 'stale';
      rejectedTokens.push(rejected);
      await new Promise((resolve) => setTimeout(resolve, 10));
      return 'fresh';
    };
    const testClient = client({ token });
    await Promise.all(Array.from({ length: 8 }, (_, index) => testClient.tickets.get(`t${index}`)));
    expect(rejectedTokens).toEqual(['stale']);
  });

  it.each(['same', ' same\n'])(
    'makes the call fail with the 401 error if it returns the rejected credential again as %j',
    async (again) => {
      const { client, seen } = await serveTo('other');
      const token = ({ rejected }: TokenRequest) => (rejected ? again : 'same');
      expect(await errorOf(client({ token }).tickets.get('t'))).toMatchObject({
        name: 'AuthenticationError',
        attempts: 1,
      });
      expect(seen).toHaveLength(1);
    },
  );

  it('runs at most twice per API call', async () => {
    const { client, seen } = await serveTo('other');
    let count = 0;
    expect(await errorOf(client({ token: () => `t${++count}` }).tickets.get('t'))).toMatchObject({
      name: 'AuthenticationError',
      attempts: 2,
    });
    expect(seen).toHaveLength(2);
  });

  it.each(['stale', 'stale\n', '', undefined])(
    'is called again by the next call if it returns %j for the rejected credential',
    async (again) => {
      const { client } = await serveTo('fresh');
      let ready = false;
      const token = ({ rejected }: TokenRequest) => {
        if (!rejected) return 'stale';
        return ready ? 'fresh' : (again as string);
      };
      const testClient = client({ token });
      await errorOf(testClient.tickets.get('t'));
      ready = true;
      expect(await testClient.tickets.get('t')).toEqual({ id: 'x' });
    },
  );

  it('that throws an error after a 401 response makes the call fail, and that error is the cause', async () => {
    const { client } = await serveTo('other');
    const token = ({ rejected }: TokenRequest) => {
      if (rejected) throw new Error('refresh token expired');
      return 'stale';
    };
    expect(await errorOf(client({ token }).tickets.get('t'))).toMatchObject({
      name: 'ConfigurationError',
      outcome: 'rejected',
      cause: { message: 'refresh token expired' },
    });
  });
});

describe('a rotating token function', () => {
  it('returns a new credential for each rejected one', async () => {
    let valid = 2;
    const { client } = await serve((out, { headers }) =>
      headers.authorization === `Bearer t${valid}`
        ? json(out, 200, { data: { id: 'x' } })
        : json(out, 401, { message: 'Who?' }),
    );
    let current = 1;
    const rejectedTokens: (string | undefined)[] = [];
    const testClient = client({
      token: ({ rejected }) => {
        rejectedTokens.push(rejected);
        if (rejected) current++;
        return `t${current}`;
      },
    });
    await testClient.tickets.get('t');
    valid = 3;
    await testClient.tickets.get('t');
    expect(rejectedTokens).toEqual([undefined, 't1', undefined, 't2']);
  });

  it("can reject with a long error that quotes the rejected credential, and the error is redacted before it's truncated", async () => {
    const { client } = await serveTo('other');
    const token = ({ rejected }: TokenRequest) => {
      if (!rejected) return secret;
      throw new Error(`${'x'.repeat(290)} ${rejected}`);
    };
    const { message } = (await errorOf(client({ token }).tickets.get('t'))) as Error;
    expect(message).toBe(`tickets.get: the token function failed: ${'x'.repeat(290)} [redacte…`);
  });

  it('makes every affected call fail if it throws an error for several rejected credentials', async () => {
    const { client } = await serveTo('none');
    let count = 0;
    const token = async ({ rejected }: TokenRequest) => {
      if (!rejected) return `t${++count}`;
      await new Promise((resolve) => setTimeout(resolve, 5));
      throw new Error(`no successor of ${rejected}`);
    };
    const testClient = client({ token });
    const first = errorOf(testClient.tickets.get('a'));
    await new Promise((resolve) => setTimeout(resolve, 2));
    const second = errorOf(testClient.tickets.get('b'));
    for (const error of await Promise.all([first, second])) {
      expect(error).toMatchObject({ name: 'ConfigurationError', outcome: 'rejected' });
    }
  });
});

describe('a token function that never settles', () => {
  /** Creates a client whose token function never settles the first time. */
  async function setUp(options: ClientOptions) {
    const { client } = await serve((out) => json(out, 200, { data: { id: 'x' } }));
    let runs = 0;
    const token = () => (runs++ ? secret : new Promise<string>(() => {}));
    return { testClient: client({ token, ...options }), runs: () => runs };
  }

  it('is called again by the next call after a timeout', async () => {
    const { testClient } = await setUp({ totalTimeout: 100 });
    expect(await errorOf(testClient.tickets.get('t'))).toMatchObject({ limit: 'totalTimeout' });
    expect(await testClient.tickets.get('t')).toEqual({ id: 'x' });
  });

  it("is called again by the next call after the caller's own timeout", async () => {
    const { testClient } = await setUp({});
    const signal = AbortSignal.timeout(50);
    expect(await errorOf(testClient.tickets.get('t', { signal }))).toMatchObject({ code: 'aborted' });
    expect(await testClient.tickets.get('t')).toEqual({ id: 'x' });
  });

  it('is called again after an aborted call only if it has been pending longer than `timeout`', async () => {
    const { testClient, runs } = await setUp({ timeout: 200 });
    const abortAfter = async (milliseconds: number) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), milliseconds);
      return errorOf(testClient.tickets.get('t', { signal: controller.signal }));
    };
    await abortAfter(1);
    await abortAfter(300);
    expect(runs()).toBe(1);
    expect(await testClient.tickets.get('t')).toEqual({ id: 'x' });
  });
});

describe('PendingTokens', () => {
  /** Creates a token function that returns promises for the test to settle. */
  function manualTokens() {
    const calls: { rejected: string | undefined; resolve(token: string): void; reject(): void }[] = [];
    const getToken = ({ rejected }: TokenRequest) =>
      new Promise<string>((resolve, reject) => {
        calls.push({ rejected, resolve, reject });
      });
    const tokens = new PendingTokens();
    const request = (rejected?: string) => tokens.request(getToken, rejected);
    const forgetPending = (rejected?: string) => tokens.forgetPending(getToken, rejected, 0);
    return { calls, request, forgetPending, rejectedOf: () => calls.map(({ rejected }) => rejected) };
  }
  const settled = () => new Promise((resolve) => setTimeout(resolve));

  it('stores a replacement only for the most recently rejected credential', async () => {
    const { calls, request, rejectedOf } = manualTokens();
    for (const rejected of ['a', 'b', 'b', 'a', 'b']) {
      request(rejected);
      await settled();
      calls.at(-1)?.resolve('fresh');
    }

    expect(rejectedOf()).toEqual(['a', 'b', 'a', 'b']);
  });

  it('still shares the pending request for the first token after a credential is rejected', async () => {
    const { request, rejectedOf } = manualTokens();
    const first = request();
    const replacement = request('a');

    expect(request()).toBe(first);
    expect(request('a')).toBe(replacement);
    await settled();
    expect(rejectedOf()).toEqual([undefined, 'a']);
  });

  it('still uses a pending replacement even if an earlier request for a replacement fails', async () => {
    const { calls, request, rejectedOf } = manualTokens();
    const earlier = errorOf(request('a'));
    const later = request('b');
    await settled();
    calls[0]?.reject();
    await earlier;

    expect(request('b')).toBe(later);
    expect(rejectedOf()).toEqual(['a', 'b']);
  });

  it('discards the pending request of a single credential and keeps the others', async () => {
    const { request, forgetPending } = manualTokens();
    const first = request();
    const replacement = request('a');
    forgetPending();
    forgetPending('b');

    expect(request('a')).toBe(replacement);
    expect(request()).not.toBe(first);
  });

  it('stores a replacement that arrives while its call is being aborted', async () => {
    const { calls, request, forgetPending } = manualTokens();
    const replacement = request('a');
    await settled();
    calls[0]?.resolve('fresh');
    await settled();
    forgetPending('a');

    expect(request('a')).toBe(replacement);
  });
});

it('a token is sent and redacted without leading or trailing whitespace', async () => {
  const { client, seen } = await serve((out, { headers }) =>
    json(out, 422, { message: `no access with ${headers.authorization}` }),
  );
  expect(await errorOf(client({ token: ' wt_padded\n' }).tickets.get('t'))).toMatchObject({
    body: { message: 'no access with Bearer [redacted]' },
  });
  expect(seen[0]?.headers.authorization).toBe('Bearer wt_padded');
});

it("if a new token contains characters that headers don't allow, a call fails before sending a request", async () => {
  const { client, seen } = await serve((out) => json(out, 200, { data: { id: 'x' } }));
  const tokens = ['wt_1', 'wt_1', 'wt\n_2'];
  const testClient = client({ token: () => tokens.shift() as string });
  await testClient.tickets.get('t');
  await testClient.tickets.get('t');

  expect(await errorOf(testClient.tickets.get('t'))).toMatchObject({
    name: 'ConfigurationError',
    message: 'tickets.get: the token contains invalid characters',
    outcome: 'not_sent',
  });
  expect(seen).toHaveLength(2);
});
