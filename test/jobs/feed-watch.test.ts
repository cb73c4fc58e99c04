import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Change,
  memoryBook,
  readChanges,
  type SweepInfo,
  type WatchChangesOptions,
  watchChanges,
} from 'worktrack/jobs';
import type { createMockServer } from 'worktrack/mock-server';
import { connect } from '../support/clients.js';
import { startProject } from './support/feed-project.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A project, and a feed that has read its baseline. */
async function start(options: Partial<WatchChangesOptions> = {}) {
  const { mock, client, project, first, second, third } = startProject();
  const tickets = [first.id, second.id, third.id] as const;
  const stop = new AbortController();
  const sweeps: SweepInfo[] = [];
  const errors: Error[] = [];
  const feed: WatchChangesOptions = {
    client,
    project: project.id,
    include: ['ticket', 'project'],
    book: memoryBook(),
    every: 1000,
    signal: stop.signal,
    onSweep: (sweep) => sweeps.push(sweep),
    onError: (error) => errors.push(error),
    ...options,
  };
  const { client: _, every: __, onSweep: ___, onError: ____, ...rest } = feed;
  await readChanges({ ...rest, client });
  const rename = async (...titles: string[]) => {
    for (const [index, title] of titles.entries()) {
      await client.tickets.update(tickets[index] as string, { title });
    }
  };
  /** The titles of the tickets whose changes haven't been delivered yet. */
  const undelivered = async () => {
    const { changes } = await readChanges({ ...rest, client, signal: undefined });
    return changes.map(({ after }) => (after as { title: string } | null)?.title);
  };
  return { mock, client, project, tickets, stop, sweeps, errors, feed, rename, undelivered };
}

/** Collects a feed's changes until it ends or fails. */
async function collect(feed: WatchChangesOptions, until = Number.POSITIVE_INFINITY) {
  const changes: Change[] = [];
  for await (const change of watchChanges(feed)) if (changes.push(change) >= until) break;
  return changes;
}

describe('watchChanges', () => {
  it('considers a change delivered when the next change is requested', async () => {
    const { feed, rename, undelivered } = await start();
    await rename('A', 'B', 'C');
    const changes = watchChanges(feed);
    await changes.next();
    expect(await undelivered()).toEqual(['A', 'B', 'C']);
    await changes.next();
    expect(await undelivered()).toEqual(['B', 'C']);
    await changes.return();
  });

  it('rejects a second feed with the same book until the first one has ended or been stopped', async () => {
    const { feed, rename, stop } = await start();
    await rename('A', 'B');
    const changes = watchChanges(feed);
    await changes.next();
    await expect(watchChanges(feed).next()).rejects.toThrow(
      'watchChanges: the book is in use by another feed; use a book for each feed',
    );
    await changes.return();
    const { signal, ...rest } = feed;
    // A feed can't end on its own if its consumer doesn't request another change.
    await watchChanges(feed).next();
    stop.abort();
    expect(await collect(rest, 2)).toHaveLength(2);
  });

  it.each(['break', 'an error'])("doesn't consider a change delivered if %s ends the loop", async (end) => {
    const { feed, rename, undelivered } = await start();
    await rename('A', 'B');
    const loop = async () => {
      for await (const { recordId } of watchChanges(feed)) {
        if (end === 'break') break;
        throw new Error(`can't handle ${recordId}`);
      }
    };
    await loop().catch(() => {});
    expect(await undelivered()).toEqual(['A', 'B']);
  });

  it.each(['onSweep', 'onError'])('throws the error of an asynchronous %s callback', async (name) => {
    const callback = async () => {
      throw new Error('no network');
    };
    const { mock, feed, rename, undelivered } = await start({ [name]: callback });
    await rename('A');
    if (name === 'onError') mock.faults.add({ operation: 'tickets.list', status: 408, times: 1 });
    await expect(collect(feed)).rejects.toThrow('no network');
    expect(await undelivered()).toEqual(['A']);
  });

  it.each(['onSweep', 'onError'])(
    'waits for a promise returned by %s, but not after the signal aborts',
    async (name) => {
      const callback = vi.fn(() => new Promise(() => {}));
      const { mock, feed, stop, rename, undelivered } = await start({ [name]: callback });
      await rename('A');
      if (name === 'onError') mock.faults.add({ operation: 'tickets.list', status: 408 });
      const collected = collect(feed);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(callback).toHaveBeenCalledTimes(1);
      stop.abort();
      mock.faults.clear();
      expect(await collected).toEqual([]);
      expect(await undelivered()).toEqual(['A']);
    },
  );

  it('stops delivering changes once the signal aborts', async () => {
    const { feed, stop, rename, undelivered } = await start();
    await rename('A', 'B', 'C');
    const titles: unknown[] = [];
    for await (const change of watchChanges(feed)) {
      titles.push((change.after as { title: string }).title);
      if (titles.length === 2) stop.abort();
    }
    expect(titles).toEqual(['A', 'B']);
    expect(await undelivered()).toEqual(['C']);
  });

  it('ends without an error if the signal aborts during a request or between sweeps', async () => {
    for (const delayMs of [500, 1500]) {
      const { mock, feed, stop, errors } = await start();
      mock.faults.add({ operation: 'tickets.list', times: 1, latency: 1000 });
      const collected = collect(feed);
      await vi.advanceTimersByTimeAsync(delayMs);
      stop.abort();
      expect(await collected).toEqual([]);
      expect(errors).toEqual([]);
    }
  });

  it('increases the interval while nothing changes and resets it after a change', async () => {
    const { feed, stop, sweeps, rename } = await start({ every: undefined });
    const collected = collect(feed);
    await vi.advanceTimersByTimeAsync((15 + 30 + 60 + 120 + 240) * 1000);
    expect(sweeps.map(({ nextInMs }) => nextInMs / 1000)).toEqual([15, 30, 60, 120, 240, 240]);
    await rename('A', 'B');
    await vi.advanceTimersByTimeAsync((240 + 15) * 1000);
    expect(sweeps.slice(6)).toMatchObject([
      { changes: 2, records: 4, nextInMs: 15_000 },
      { changes: 0, records: 4, nextInMs: 30_000 },
    ]);
    stop.abort();
    expect(await collected).toHaveLength(2);
  });

  it('waits the same amount of time after every sweep if `every` is a number, even a very large one', async () => {
    const { feed, stop, sweeps } = await start({ every: Number.POSITIVE_INFINITY });
    const collected = collect(feed);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(sweeps).toHaveLength(1);
    stop.abort();
    await collected;
  });

  it.each([
    ['503', { status: 503 }],
    ['a timeout', { latency: 60_000 }],
  ] as const)('retries after %s', async (_, effect) => {
    const { mock, feed, stop, rename, errors } = await start();
    await rename('A');
    mock.faults.add({ operation: 'tickets.list', times: 3, ...effect });
    const collected = collect({ ...feed, client: feed.client.withOptions({ timeout: 1000 }) });
    await vi.advanceTimersByTimeAsync(60_000);
    stop.abort();
    expect(await collected).toMatchObject([{ type: 'ticket.updated', after: { title: 'A' } }]);
    expect(errors).toHaveLength(3);
  });

  it.each([401, 403, 404])('fails after a %i response', async (status) => {
    const { mock, feed, rename, undelivered } = await start();
    await rename('A');
    mock.faults.add({ operation: 'tickets.list', times: 1, status });
    await expect(collect(feed)).rejects.toMatchObject({ status });
    expect(await undelivered()).toEqual(['A']);
  });

  it('throws an error immediately if the interval is invalid', async () => {
    const { feed } = await start();
    for (const every of [0, -1, Number.NaN, 'often']) {
      expect(() => watchChanges({ ...feed, every } as never)).toThrow(
        'watchChanges: option "every" must be a positive number of milliseconds',
      );
    }
  });
});

describe('watchChanges during an outage', () => {
  const outages: [string, Parameters<ReturnType<typeof createMockServer>['faults']['add']>[0], boolean][] = [
    ['a revoked token', { status: 401 }, true],
    ['a storm of 429 responses', { status: 429 }, false],
    ['lost connections', { error: 'connection' }, false],
    ['500 responses', { status: 500 }, false],
  ];
  const cases = outages.flatMap(([name, effect, isFatal]) =>
    [0, 1, 2, 3, 4].map((after) => ({ name, effect, isFatal, after })),
  );

  it.each(cases)(
    'reports every change and no false changes (outage: $name, starting at request $after)',
    async ({ effect, isFatal, after }) => {
      const { mock, client, tickets, feed, stop, rename, errors } = await start();
      const [, second, third] = tickets;
      await rename('A');
      await client.tickets.delete(second);
      await client.tickets.delete(third);
      let requests = 0;
      let isOut = true;
      const flaky = connect(mock, {
        retry: 0,
        fetch: async (...args) => {
          if (isOut && requests++ === after) mock.faults.add({ ...effect, times: 20 });
          return mock.fetch(...args);
        },
      });
      const changes: Change[] = [];
      const run = async () => {
        for await (const change of watchChanges({ ...feed, client: flaky })) changes.push(change);
      };
      const finished = run().catch((error) => error);
      await vi.advanceTimersByTimeAsync(3000);
      const sawOutage = isFatal ? (await Promise.race([finished, null])) !== null : errors.length > 0;
      // A sweep sends five requests: one for the project, two for the tickets, and one for each missing
      // ticket.
      expect(sawOutage).toBe(true);
      isOut = false;
      mock.faults.clear();
      if (isFatal) void run();
      await vi.advanceTimersByTimeAsync(20_000);
      stop.abort();
      await vi.advanceTimersByTimeAsync(0);
      expect(changes.map(({ type, recordId }) => `${type} ${recordId}`)).toEqual([
        `ticket.updated ${tickets[0]}`,
        ...[second, third].sort().map((id) => `ticket.deleted ${id}`),
      ]);
    },
  );
});
