import { describe, expect, test } from 'vitest';
import { createMockServer } from 'worktrack/mock-server';
import { expectUnchanged } from './expect-unchanged.js';
import { expectError } from './expectations.js';
import { rawApi } from './requests.js';
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
    const body = '{"name":"\u00FC"}';
    const send = (bodyLimit: number) =>
      rawApi(createMockServer({ bodyLimit }), 'wt_default').send(
        'POST',
        '/organizations/org_default/projects',
        body,
      );
    expect((await send(13)).status).toBe(422);
    expect((await send(12)).status).toBe(413);
  });

  test('E-8 the size limit also applies to a streamed body of unknown length', async () => {
    const bytes = () =>
      new ReadableStream({
        start(controller) {
          for (const byte of new TextEncoder().encode('{"name":"\u00FC"}')) {
            controller.enqueue(Uint8Array.of(byte));
          }
          controller.close();
        },
      });
    const send = (bodyLimit: number) =>
      createMockServer({ bodyLimit }).fetch(
        'http://worktrack.test/api/v1/organizations/org_default/projects',
        {
          method: 'POST',
          headers: { authorization: 'Bearer wt_default' },
          body: bytes(),
          duplex: 'half',
        } as RequestInit,
      );
    expect((await send(13)).status).toBe(422);
    expect((await send(12)).status).toBe(413);
  });
});
