import { Readable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { readText } from '../../../src/http/send-request.js';
import { TimeLimit } from '../../../src/shared/abort.js';
import { Chunks } from '../../../src/shared/chunks.js';
import { useFakeTimers } from '../../support/timers.js';

/** The emoji is split across two chunks. */
const chunks = [Buffer.from('é🚀').subarray(0, 4), Buffer.from('é🚀').subarray(4)];

const responseWith = (body: unknown) => ({ body, text: async () => 'from text()' }) as unknown as Response;

const webStream = (source: UnderlyingDefaultSource<Uint8Array>) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
    },
    ...source,
  });

function start(body: unknown, { maxBytes = Infinity }: { maxBytes?: number } = {}) {
  useFakeTimers();
  const limit = new TimeLimit(1000);
  return { limit, result: readText(responseWith(body), limit, maxBytes) };
}

const closed = () => webStream({ pull: (controller) => controller.close() });

describe('readText', () => {
  it.each<[string, () => unknown, string]>([
    ['a web stream', closed, 'é🚀'],
    [
      "a web stream that isn't iterable",
      () => {
        const stream = closed();
        return { getReader: () => stream.getReader() };
      },
      'é🚀',
    ],
    ['a Node.js stream', () => Readable.from(chunks), 'é🚀'],
    ["an object that isn't a stream", () => ({ pipe() {} }), 'from text()'],
    ['null', () => null, ''],
  ])('reads the text if the body is %s', async (_, createBody, text) => {
    expect(await start(createBody()).result).toEqual({ text });
  });

  it('cancels a web stream that exceeds the limit and ignores any error from canceling it', async () => {
    const cancel = vi.fn(() => Promise.reject(new Error('already closed')));
    const { result } = start(webStream({ cancel }), { maxBytes: 2 });
    expect(await result).toEqual({ text: 'é', isTooLong: true });
    expect(cancel).toHaveBeenCalledOnce();
  });

  it('destroys a Node.js stream that exceeds the limit', async () => {
    const body = Readable.from(chunks);
    expect(await start(body, { maxBytes: 2 }).result).toEqual({ text: 'é', isTooLong: true });
    expect(body.destroyed).toBe(true);
  });

  it("stops at the limit even if the iterator can't be closed", async () => {
    const next = async () => ({ done: false, value: chunks[0] });
    const body = { [Symbol.asyncIterator]: () => ({ next }) };
    expect(await start(body, { maxBytes: 2 }).result).toEqual({ text: 'é', isTooLong: true });
  });

  it("limits a text whose length isn't known before it has been read", async () => {
    expect(await start({ pipe() {} }, { maxBytes: 5 }).result).toEqual({ text: '', isTooLong: true });
  });

  it('reports a text that is too long for a string', async () => {
    vi.spyOn(TextDecoder.prototype, 'decode').mockImplementation(() => {
      throw new RangeError('too long');
    });
    expect(await start(closed()).result).toEqual({ text: '', failure: new RangeError('too long') });
    vi.restoreAllMocks();
  });

  it('returns the part of the body that arrived before the timeout', async () => {
    const cancel = vi.fn();
    const { result, limit } = start(webStream({ cancel }));
    await vi.advanceTimersByTimeAsync(1000);
    expect(await result).toEqual({ text: 'é🚀', failure: limit.reason });
    expect(limit.reason).toMatchObject({ name: 'TimeoutError' });
    expect(cancel).toHaveBeenCalledOnce();
  });

  it('removes its listener from the time limit after reading the body', async () => {
    const limit = new TimeLimit(Infinity);
    const removeListener = vi.fn();
    vi.spyOn(limit, 'listen').mockReturnValue(removeListener);
    await readText(responseWith(closed()), limit, Infinity);
    expect(removeListener).toHaveBeenCalledOnce();
  });
});

it('Chunks merges small chunks to reduce their memory overhead', () => {
  const chunks = new Chunks();
  for (let count = 0; count < 100_000; count++) chunks.add(new Uint8Array([count]));
  const all = chunks.toArray();
  expect(all.length).toBeLessThan(1200);
  expect(Buffer.concat(all)).toEqual(Buffer.from(Array.from({ length: 100_000 }, (_, count) => count)));
});
