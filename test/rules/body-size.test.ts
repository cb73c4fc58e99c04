import { describe, expect, test } from 'vitest';
import { createMockServer } from 'worktrack/mock-server';
import { expectUnchanged } from './expect-unchanged.js';
import { expectError } from './expectations.js';
import { origin, rawApi } from './requests.js';
import { serve } from './world.js';

describe('body size', () => {
  test("G-9, E-8 tickets.update returns 413 and doesn't change anything if the body is too large", async () => {
    const mock = serve();
    const response = await rawApi(mock).patch('/tickets/tkt_a', {
      title: 'x',
      padding: 'x'.repeat(11_000_000),
    });
    expectError(response, 'payload_too_large');
    await expectUnchanged(mock);
  });

  test('E-8 a body of exactly the maximum size is accepted, and a larger body is rejected', async () => {
    const text = '{"name":"\u00FC"}';
    const streamed = () => new Blob([text]).stream();
    const fits = [422, 'key is required'];
    const over = (limit: string) => [413, `The body is larger than ${limit} bytes.`];
    const cases: [limit: number, body: BodyInit, headers: Record<string, string>, outcome: unknown[]][] = [
      [13, text, {}, fits],
      [12, text, {}, over('12')],
      [13, streamed(), {}, fits],
      [12, streamed(), {}, over('12')],
      // The body is smaller than its declared length.
      [2000, text, { 'content-length': '2000' }, fits],
      [2000, text, { 'content-length': '2001' }, over('2,000')],
    ];
    for (const [bodyLimit, body, headers, outcome] of cases) {
      const response = await createMockServer({ bodyLimit }).fetch(
        `${origin}/api/v1/organizations/org_default/projects`,
        {
          method: 'POST',
          headers: { authorization: 'Bearer wt_default', ...headers },
          body,
          duplex: 'half',
        } as RequestInit,
      );
      expect([response.status, (await response.json()).message]).toEqual(outcome);
    }
  });
});
