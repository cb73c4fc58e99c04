import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ListenOptions } from 'worktrack/mock-server/node';
import { eventStream } from '../../../mock-server/node/admin/event-stream.js';
import { Space } from '../../../mock-server/node/spaces.js';
import { useFakeTimers } from '../../support/timers.js';
import { serve } from './support/listening.js';
import { send, serverOf, world } from './support/server.js';

interface Event {
  event: string;
  data: Record<string, unknown>;
}

/** Reads one event at a time from a response. */
function eventsOf(response: Response) {
  const decoder: ReadableWritablePair<string, Uint8Array> = new TextDecoderStream() as never;
  const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(decoder).getReader();
  let text = '';
  const next = async (): Promise<Event | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const block = text.slice(0, end);
        text = text.slice(end + 2);
        const [, event = ''] = /^event: (.*)$/m.exec(block) ?? [];
        if (event) return { event, data: JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? 'null') };
        continue;
      }
      const { done, value } = await reader.read();
      if (done) return undefined;
      text += value;
    }
  };
  /** Reads events until one has the given name. */
  const until = async (name: string): Promise<Event['data']> => {
    for (;;) {
      const event = await next();
      if (!event) throw new Error(`The stream ended without ${name}.`);
      if (event.event === name) return event.data;
    }
  };
  return { next, until, cancel: () => reader.cancel() };
}

async function follow(options: ListenOptions = {}, path = '') {
  const server = await serve(options);
  server.createSpace('mine', { world });
  const response = await fetch(`${server.url}${path}/__admin/events`);
  const events = eventsOf(response);
  // Otherwise, the server would wait for the stream to end before closing.
  onTestFinished(() => events.cancel());
  const api = (method: string, below: string, body?: unknown) =>
    fetch(`${server.url}${path}/api/v1${below}`, {
      method,
      headers: { authorization: 'Bearer wt_ci' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return { server, response, api, ...events };
}

describe('GET /__admin/events', () => {
  test.each([
    ['the default space', ''],
    ['another space', '/spaces/mine'],
  ])('streams the requests and responses of %s', async (_, path) => {
    const { response, next, until, api } = await follow({}, path);

    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(await next()).toEqual({
      event: 'ready',
      data: {
        space: path && 'mine',
        revision: expect.any(Number),
        requests: 0,
        clock: { now: '2026-01-01T00:00:00.000Z', frozen: true },
      },
    });
    await api('PATCH', '/tickets/tkt_1', { title: 'New' });
    expect(await until('request')).toMatchObject({
      id: 'req_000001',
      operation: 'tickets.update',
      status: 200,
      headers: { authorization: '[hidden]' },
      body: { title: 'New' },
    });
    expect(await until('state')).toEqual({
      revision: expect.any(Number),
      changed: { kinds: ['tickets'], boards: ['brd_todo'] },
    });
  });

  test('reports which records have changed, but omits the details if all records were replaced', async () => {
    const { server, until, api } = await follow();

    await api('POST', '/tickets/tkt_2/move', { board_id: 'brd_todo' });
    expect(await until('state')).toMatchObject({ changed: { kinds: ['tickets'], boards: ['brd_todo'] } });
    server.mock.add.user({ name: 'Grace', organization: 'org_acme' });
    expect(await until('state')).toMatchObject({ changed: { kinds: ['users'], boards: [] } });
    server.mock.reset();
    expect(await until('state')).toEqual({ revision: expect.any(Number) });
  });

  test('reports when the clock or the faults change and when the journal is cleared', async () => {
    const { server, until } = await follow();

    server.mock.clock.advance(1000);
    expect(await until('clock')).toEqual({ now: '2026-01-01T00:00:01.000Z', frozen: true });
    server.mock.faults.add({ status: 503, times: 2 });
    server.mock.faults.rateLimit({ limit: 5 });
    expect(await until('faults')).toEqual({
      faults: [{ id: 'fault_1', count: 0, status: 503, times: 2 }],
      rateLimit: { limit: 5, window: 60_000 },
    });
    server.mock.reset();
    expect(await until('cleared')).toEqual({});
    expect(await until('faults')).toEqual({ faults: [], rateLimit: null });
  });

  test('omits a large body, which clients can still read from the journal', async () => {
    const { server, until, api } = await follow();
    const description_html = 'x'.repeat(100_000);

    await api('PATCH', '/tickets/tkt_1', { description_html });

    const event = await until('request');
    expect(event).toMatchObject({ bodyOmitted: true, status: 200 });
    expect(event).not.toHaveProperty('body');
    const response = await fetch(`${server.url}/__admin/requests/${event.id}`);
    expect((await response.json()).data.body).toEqual({ description_html });
  });

  test('ends when the server closes or its space is deleted', async () => {
    const { server, next, until } = await follow({}, '/spaces/mine');
    const other = eventsOf(await fetch(`${server.url}/__admin/events`));
    await until('ready');
    await other.until('ready');

    server.deleteSpace('mine');
    expect(await next()).toBeUndefined();
    await server.close();
    expect(await other.next()).toBeUndefined();
  });

  test('allows at most 32 open streams per space', async () => {
    const space = new Space('', serverOf());
    const open = Array.from({ length: 32 }, () => eventStream(space));

    expect(() => eventStream(space)).toThrow('already has 32 event streams');
    await open[0]?.body?.cancel();
    expect(eventStream(space).status).toBe(200);
    space.close();
    expect(space.streams.size).toBe(0);
  });

  test('drops events if the reader is too slow, and reports how many were dropped', async () => {
    const space = new Space('', serverOf());
    const { next, until } = eventsOf(eventStream(space));
    await next();
    const body = { description_html: 'x'.repeat(20_000) };
    for (let count = 0; count < 100; count += 1) await send(space.mock, 'PATCH', '/tickets/tkt_1', body);
    const seen = [];
    for (let count = 0; count < 40; count += 1) seen.push(await next());
    await send(space.mock, 'GET', '/tickets/tkt_1');

    const { count } = await until('dropped');
    expect(count).toBeGreaterThan(30);
    expect(count).toBeLessThan(60);
    expect((await until('request')).id).toBe('req_000101');
    space.close();
  });

  test('sends a heartbeat every 15 seconds', async () => {
    useFakeTimers();
    const space = new Space('', serverOf());
    const reader = (eventStream(space).body as ReadableStream<Uint8Array>).getReader();
    await reader.read();

    await vi.advanceTimersByTimeAsync(15_000);

    expect(new TextDecoder().decode((await reader.read()).value)).toBe(': heartbeat\n\n');
    space.close();
  });
});
