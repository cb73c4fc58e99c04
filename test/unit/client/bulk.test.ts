import { describe, expect, it, vi } from 'vitest';
import { type BulkProgress, bulk, PermissionDeniedError, Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';

/** Creates an object without `toString()`. */
const nameless = (message: string) => Object.assign(Object.create(null), { message });

const pause = (milliseconds = 1) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('bulk', () => {
  it('processes a limited number of inputs concurrently and returns the results in input order', async () => {
    let running = 0;
    let peak = 0;
    const { results, failures, stopped } = await bulk(
      [5, 1, 3, 2, 4, 0],
      async (input) => {
        peak = Math.max(peak, ++running);
        await pause(input);
        running--;
        return input * 2;
      },
      { concurrency: 3 },
    );
    expect(results.map((result) => result.ok && result.value)).toEqual([10, 2, 6, 4, 8, 0]);
    expect(results.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5]);
    expect([peak, failures, stopped]).toEqual([3, [], false]);
  });

  it('collects failures and continues with the remaining inputs', async () => {
    const error = new Error('odd');
    const { results, failures } = await bulk([1, 2, 3], (input) => {
      if (input % 2) throw error;
      return input;
    });
    expect(results.map(({ ok }) => ok)).toEqual([false, true, false]);
    expect(failures).toEqual([
      { ok: false, index: 0, input: 1, error },
      { ok: false, index: 2, input: 3, error },
    ]);
  });

  it("reports progress after each input, with the total if it's known", async () => {
    const reports: BulkProgress[] = [];
    const onProgress = (progress: BulkProgress) => reports.push(progress);
    await bulk(['a', 'b'], async (input) => (input === 'b' ? Promise.reject(input) : input), {
      concurrency: 1,
      onProgress,
    });
    expect(reports).toEqual([
      { succeeded: 1, failed: 0, total: 2 },
      { succeeded: 1, failed: 1, total: 2 },
    ]);
    await bulk(new Set([1]), () => 1, { onProgress });
    expect(reports.at(-1)).toEqual({ succeeded: 1, failed: 0, total: undefined });
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no bar');
      },
    ],
    ['rejects', async () => Promise.reject(new Error('no bar'))],
    ["rejects with an object that can't be converted to a string", () => Promise.reject(nameless('no bar'))],
  ])('returns its results and prints the error only once if onProgress %s', async (_, onProgress) => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    const report = await bulk([1, 2, 3], (input) => input, { concurrency: 2, onProgress });
    const lines = printed.mock.calls;
    printed.mockRestore();

    expect(report).toMatchObject({ results: [{ value: 1 }, { value: 2 }, { value: 3 }], failures: [] });
    expect(lines).toEqual([['worktrack: bulk: onProgress failed: Error: no bar']]);
  });

  it('stops reading inputs and waits for in-flight calls when the signal is aborted', async () => {
    const controller = new AbortController();
    const { results, stopped } = await bulk(
      [0, 1, 2, 3, 4, 5, 6],
      async (input) => {
        if (input === 3) controller.abort();
        await pause();
        return input;
      },
      { concurrency: 2, signal: controller.signal },
    );
    expect(results.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
    expect(stopped).toBe(true);
  });

  it.each([
    ['an array', [1, 2], 3],
    ['an array, while every worker is busy', [1, 2], 2],
    ['an iterable', new Set([1, 2]), 3],
  ])(
    'returns `stopped: false` if the signal aborts after the last input of %s',
    async (_, inputs, concurrency) => {
      const controller = new AbortController();
      const work = async () => {
        await pause();
        controller.abort();
      };
      const { results, stopped } = await bulk(inputs, work, { signal: controller.signal, concurrency });
      expect([results.length, stopped]).toEqual([2, false]);
    },
  );

  describe('of a paginated list', () => {
    const start = (count: number) => {
      const mock = createMockServer();
      const { id: project } = mock.add.project({ id: 'prj_1' });
      const board = mock.add.board({ project }).id;
      for (let index = 0; index < count; index++) mock.add.ticket({ board, title: 'Spam' });
      return { mock, client: new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch }) };
    };

    it('processes every item of a list that the server returns as a single page', async () => {
      const data = Array.from({ length: 150_000 }, (_, index) => ({ id: `tkt_${index}` }));
      const client = new Worktrack({
        ...createMockServer().clientOptions(),
        responseValidation: 'off',
        fetch: async () => Response.json({ data: { data, current_page: 1, last_page: 1 } }),
      });
      const { results } = await bulk(client.tickets.list('prj_1'), () => {}, { concurrency: 1000 });
      expect(results).toHaveLength(data.length);
    });

    it.each([undefined, 50])(
      'processes every item even if the calls delete the items (per_page: %s)',
      async (per_page) => {
        const { client } = start(200);
        const reports: BulkProgress[] = [];
        const { results, failures } = await bulk(
          client.tickets.list('prj_1', { q: 'spam', per_page }),
          ({ id }) => client.tickets.delete(id),
          { onProgress: (progress) => reports.push(progress) },
        );
        expect([results.length, failures]).toEqual([200, []]);
        expect(reports.at(-1)).toEqual({ succeeded: 200, failed: 0, total: 200 });
        expect((await client.tickets.list('prj_1')).total).toBe(0);
      },
    );

    it('stops without processing any items if the signal aborts while the list is being read', async () => {
      const { client, mock } = start(30);
      const controller = new AbortController();
      mock.override('tickets.list', async ({ query }, next) => {
        if (query.page === 2) controller.abort();
        return next();
      });
      const work = vi.fn();
      const report = await bulk(client.tickets.list('prj_1', { per_page: 10 }), work, {
        signal: controller.signal,
      });
      expect(report).toEqual({ results: [], failures: [], stopped: true });
      expect(work).not.toHaveBeenCalled();
      expect(mock.requests.for('tickets.list')).toHaveLength(2);
    });

    it("throws the list's error without processing any items", async () => {
      const { client, mock } = start(30);
      mock.faults.add({ operation: 'tickets.list', status: 403, after: 1 });
      const work = vi.fn();
      await expect(bulk(client.tickets.list('prj_1', { per_page: 10 }), work)).rejects.toThrow(
        PermissionDeniedError,
      );
      expect(work).not.toHaveBeenCalled();
    });
  });

  it("throws the iterator's error once in-flight calls have finished", async () => {
    let finished = 0;
    function* broken() {
      yield 1;
      yield 2;
      throw new RangeError('no more');
    }
    const work = async () => {
      await pause(5);
      finished++;
    };
    await expect(bulk(broken(), work)).rejects.toThrow('no more');
    expect(finished).toBe(2);
  });

  it('calls next() only once after the last input, no matter how many calls run concurrently', async () => {
    let requested = 0;
    let inFlight = 0;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const inputs = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: ++requested > 3, value: requested }) as IteratorResult<number>,
      }),
    };
    const work = async () => {
      if (++inFlight === 3) release();
      await released;
    };
    const { results } = await bulk(inputs, work, { concurrency: 1000 });
    expect([results.length, requested]).toEqual([3, 4]);
  });

  it('throws undefined and stops reading inputs if next() rejects with undefined', async () => {
    let requested = 0;
    const inputs = {
      [Symbol.asyncIterator]: () => ({
        next: (): Promise<IteratorResult<number>> =>
          ++requested === 2 ? Promise.reject(undefined) : Promise.resolve({ done: false, value: requested }),
      }),
    };
    const thrown = await bulk(inputs, () => pause(), { concurrency: 4 }).then(
      () => 'nothing',
      (reason) => reason,
    );
    expect([thrown, requested]).toEqual([undefined, 2]);
  });

  it.each<[object | null, string]>([
    ...[0, 1.5, Number.NaN, 1001].map((concurrency): [object, string] => [
      { concurrency },
      `bulk: option "concurrency" must be an integer from 1 to 1,000 (got ${concurrency})`,
    ]),
    [{ concurency: 3 }, 'bulk: unknown option "concurency"; did you mean "concurrency"?'],
    [{ signal: 'x' }, 'bulk: option "signal" must be an AbortSignal (got "x")'],
    [{ onProgress: true }, 'bulk: option "onProgress" must be a function (got true)'],
    [null, 'bulk: options must be an object'],
  ])('rejects the options %j before processing any input', async (options, message) => {
    let started = 0;
    const run = bulk([1], () => started++, options as never);
    await expect(run).rejects.toMatchObject({ name: 'ConfigurationError', message });
    expect(started).toBe(0);
  });

  it.each([
    [null, 'null'],
    [5, '5'],
    [{ length: 1 }, 'an object'],
  ])("rejects the inputs %j, which aren't iterable", async (inputs, got) => {
    await expect(bulk(inputs as never, () => 1)).rejects.toMatchObject({
      name: 'ConfigurationError',
      message: `bulk: the inputs must be iterable (got ${got})`,
    });
  });

  it("stops waiting for an input when the signal aborts, even if the iterator's return() rejects", async () => {
    const controller = new AbortController();
    const inputs = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<IteratorResult<number>>(() => setTimeout(() => controller.abort())),
        return: () => Promise.reject(new Error('never')),
      }),
    };
    expect(await bulk(inputs, () => 1, { signal: controller.signal })).toEqual({
      results: [],
      failures: [],
      stopped: true,
    });
  });

  it('closes the iterator and returns the results when the signal aborts, even if return() throws', async () => {
    const controller = new AbortController();
    let closed = 0;
    const inputs: Iterable<number> = {
      [Symbol.iterator]: () => ({
        next: () => ({ done: false, value: 1 }),
        return: () => {
          closed++;
          throw new Error('never');
        },
      }),
    };
    const work = () => controller.abort();
    expect(await bulk(inputs, work, { signal: controller.signal, concurrency: 1 })).toMatchObject({
      results: [{ ok: true, input: 1 }],
      stopped: true,
    });
    expect(closed).toBe(1);
  });
});
