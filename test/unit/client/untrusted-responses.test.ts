import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Worktrack } from 'worktrack';
import { clientInFrozenTime } from './support/frozen-time.js';
import { errorOf } from './support/serve.js';

const clientOf = (respond: () => Response, options = {}) =>
  new Worktrack({
    baseUrl: 'https://work.example',
    token: 'wt_secret',
    organization: 'org_acme',
    retry: 0,
    fetch: async () => respond(),
    ...options,
  });

describe('a response of { "data": null }', () => {
  it.each(['off', 'warn', 'throw', () => {}] as const)(
    'fails the call with an InvalidResponseError if responseValidation is %s',
    async (responseValidation) => {
      const client = clientOf(() => Response.json({ data: null }), { responseValidation, logLevel: 'off' });
      for (const call of [client.tickets.get('t'), client.projects.list(), client.tickets.list('p')]) {
        expect(await errorOf(call)).toMatchObject({ name: 'InvalidResponseError', outcome: 'done' });
      }
    },
  );
});

it('the client strips control characters in an error code from messages and logs', async () => {
  const code = 'x\n[admin] granted\u001b[31m\u202e';
  const lines: string[] = [];
  const line = (message: string) => lines.push(message);
  const client = clientOf(() => Response.json({ message: 'No.', code }, { status: 409 }), {
    logLevel: 'debug',
    logger: { debug: line, info: line, warn: line, error: line },
  });
  const error = (await errorOf(client.tickets.get('t'))) as Error;
  expect(error.message).toBe('tickets.get: No. (409 x [admin] granted [31m)');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: The test checks that control characters are stripped.
  for (const text of [error.message, ...lines]) expect(text).not.toMatch(/[\u0000-\u001f\u202e]/);
});

describe('a system clock change', () => {
  it("doesn't prolong a pause or fail a call if the clock is set back", async () => {
    const { client, times } = clientInFrozenTime((index) =>
      index
        ? Response.json({ data: {} })
        : new Response('{}', { status: 429, headers: { 'retry-after': '2' } }),
    );
    const first = client.tickets.get('a');
    await vi.advanceTimersByTimeAsync(0);
    vi.setSystemTime(Date.now() - 86_400_000);
    const second = client.tickets.get('b');
    await vi.advanceTimersByTimeAsync(2000);
    await Promise.all([first, second]);
    expect(times).toHaveLength(3);
  });

  it("doesn't affect a Retry-After date if the response has a Date header", async () => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
    });
    vi.setSystemTime('2030-01-01T00:00:00Z');
    const headers = { date: 'Tue, 01 Jan 2026 10:00:00 GMT', 'retry-after': 'Tue, 01 Jan 2026 10:00:30 GMT' };
    const client = clientOf(() => new Response('{}', { status: 429, headers }));
    expect(await errorOf(client.tickets.get('t'))).toMatchObject({ retryAfter: 30 });
  });
});

it.each(['transfer-encoding', 'Content-Length', 'connection'])('Worktrack rejects the header %s', (name) => {
  expect(() => clientOf(() => new Response(), { headers: { [name]: 'x' } })).toThrow(
    `headers: "${name.toLowerCase()}" is set by the transport`,
  );
});
