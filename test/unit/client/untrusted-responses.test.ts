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

describe('{ "data": null }', () => {
  it.each(['off', 'warn', 'throw', () => {}] as const)(
    'is an InvalidResponseError with the policy %s',
    async (responseValidation) => {
      const client = clientOf(() => Response.json({ data: null }), { responseValidation, logLevel: 'off' });
      for (const call of [client.tickets.get('t'), client.projects.list(), client.tickets.list('p')]) {
        expect(await errorOf(call)).toMatchObject({ name: 'InvalidResponseError', outcome: 'done' });
      }
    },
  );
});

it('control characters in the code of an error body reach neither the message nor the log', async () => {
  const code = 'x\n[admin] granted\u001b[31m\u202e';
  const lines: string[] = [];
  const line = (message: string) => lines.push(message);
  const client = clientOf(() => Response.json({ message: 'No.', code }, { status: 409 }), {
    logLevel: 'debug',
    logger: { debug: line, info: line, warn: line, error: line },
  });
  const error = (await errorOf(client.tickets.get('t'))) as Error;
  expect(error.message).toBe('tickets.get: No. (409 x [admin] granted [31m)');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters must not occur
  for (const text of [error.message, ...lines]) expect(text).not.toMatch(/[\u0000-\u001f\u202e]/);
});

describe('the system clock', () => {
  it('can be set back a day without prolonging a pause or failing a call', async () => {
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

  it("doesn't affect a Retry-After date if the server sends its own time", async () => {
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

it.each(['transfer-encoding', 'Content-Length', 'connection'])('headers must not contain %s', (name) => {
  expect(() => clientOf(() => new Response(), { headers: { [name]: 'x' } })).toThrow(
    `headers: "${name.toLowerCase()}" is set by the transport`,
  );
});
