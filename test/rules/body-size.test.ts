import { describe, expect, test } from 'vitest';
import { createMockServer } from 'worktrack/mock-server';
import { expectRefusal, wire } from './support.js';
import { expectUnchanged } from './unchanged.js';
import { serve } from './world.js';

describe('size of a body', () => {
  test('a document of a million characters of four bytes each fits', async () => {
    const content_html = '\u{1F680}'.repeat(1_000_000);
    const { status } = await wire(serve()).patch('/documents/doc_guide', { content_html });
    expect(status).toBe(200);
  });

  test('too large a body is refused (413) and changes nothing', async () => {
    const mock = serve();
    const answer = await wire(mock).patch('/tickets/tkt_a', { title: 'x', padding: 'x'.repeat(11_000_000) });
    expectRefusal(answer, 'payload_too_large');
    await expectUnchanged(mock);
  });

  test('the limit is counted in bytes, to the byte', async () => {
    const body = '{"name":"\u00FC"}';
    const send = (bodyLimit: number) =>
      wire(createMockServer({ bodyLimit }), 'wt_default').send(
        'POST',
        '/organizations/org_default/projects',
        body,
      );
    expect((await send(13)).status).toBe(422);
    expect((await send(12)).status).toBe(413);
  });

  test('so it is for a body of unknown length that comes in pieces', async () => {
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
