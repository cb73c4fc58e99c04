import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ServerError } from 'worktrack';
import { type ImportTarget, memoryLedger, type RunImportOptions, runImport } from 'worktrack/import';
import { useFakeTimers } from '../../support/timers.js';
import type { Row } from './setting.js';

beforeEach(() => {
  useFakeTimers('setTimeout', 'clearTimeout', 'performance');
});

/** Imports one row into a custom target. */
const importOne = (target: Partial<ImportTarget<Row>>, options: Partial<RunImportOptions<Row>> = {}) =>
  runImport<Row>({
    rows: [{ id: 'r1', title: 'Fuel the rocket' }],
    key: ({ id }) => id,
    ledger: memoryLedger(),
    target: { scope: 'things', toPayload: (row) => row, create: async () => ({ id: 'x' }), ...target },
    ...options,
  });

describe('the delay between retries', () => {
  it.each([
    { random: 1, expected: [0, 100, 300, 600, 900] },
    { random: 0, expected: [0, 50, 150, 300, 450] },
  ])(
    'doubles each time up to the maximum, and is shortened by up to half (Math.random() = $random)',
    async (row) => {
      const random = vi.spyOn(Math, 'random').mockReturnValue(row.random);
      onTestFinished(() => random.mockRestore());
      const start = performance.now();
      const times: number[] = [];
      const create = () => {
        times.push(performance.now() - start);
        const context = { outcome: 'rejected', status: 503, headers: new Headers(), body: '' } as const;
        return Promise.reject(new ServerError('busy', context));
      };
      const report = importOne({ create }, { retry: { limit: 4, delay: 100, maxDelay: 300 } });
      const stopped = expect(report).rejects.toThrow('busy');
      await vi.runAllTimersAsync();
      await stopped;
      expect(times).toEqual(row.expected);
    },
  );
});

describe('`lookupDelay`', () => {
  it("doesn't delay a row that isn't in doubt", async () => {
    const finished = vi.fn();
    importOne({}, { lookupDelay: 60_000 }).then(finished, finished);
    await vi.advanceTimersByTimeAsync(0);
    expect(finished).toHaveBeenCalledWith(expect.objectContaining({ created: 1 }));
  });

  it('starts when the response is lost', async () => {
    const find = vi.fn(async function* () {
      yield { id: 'x' };
    });
    const target: Partial<ImportTarget<Row>> = {
      async create() {
        await new Promise((resolve) => setTimeout(resolve, 10_000));
        throw new Error('the socket is gone');
      },
      lookup: { group: () => '', find, match: () => 'yes', isIdentity: true },
    };
    const report = importOne(target, { lookupDelay: 2000, retry: { delay: 1 } });
    await vi.advanceTimersByTimeAsync(11_999);
    expect(find).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(find).toHaveBeenCalledTimes(1);
    expect(await report).toMatchObject({ recovered: 1 });
  });
});
