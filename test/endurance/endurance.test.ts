import { describe, expect, onTestFinished, test } from 'vitest';
import { createMockServer } from 'worktrack/mock-server';
import { listen } from 'worktrack/mock-server/node';
import { isLong, runs } from '../properties/runs.js';
import { now, world } from '../rules/world.js';
import { everyOperation } from '../support/operations.js';
import { type EnduranceResult, runEndurance } from './endure.js';
import { type Bounds, bytesPerRequest, growth, type Sample } from './growth.js';

const samples = runs({ quick: 8, long: 100 });
/** The journal keeps at least this many entries, but fewer than twice as many. */
const journalLimit = runs({ quick: 200, long: 10_000 });
/** Short runs are noisier, so only a long run can detect growth of a few bytes. */
const bounds: Bounds = {
  heap: runs({ quick: 1000, long: 1 }),
  journal: journalLimit * 2,
  listeners: 0,
  handles: 24,
};
/** Over HTTP, sockets and buffers add noise. */
const boundsOverHttp: Bounds = { ...bounds, heap: runs({ quick: 3000, long: 16 }) };

// A leak makes every attempt fail, unlike noise such as newly compiled code.
describe('a client and a mock server', { retry: 2 }, () => {
  test.runIf(isLong)(
    "don't leak resources during many in-process requests",
    async () => {
      const mock = createMockServer({ world, now, journalLimit });
      const requests = 1_000_000;
      const options = { ...mock.clientOptions({ token: 'wt_acme' }), fetch: mock.fetch };
      expectSteady('mock.fetch', await runEndurance(mock, options, { requests, samples }), bounds);
    },
    3_600_000,
  );

  test("don't leak resources during many HTTP requests", async () => {
    const server = await listen({ world, now, journalLimit });
    onTestFinished(() => server.close());
    const requests = runs({ quick: 1000, long: 100_000 });
    const options = server.clientOptions({ token: 'wt_acme' });
    expectSteady('HTTP', await runEndurance(server.mock, options, { requests, samples }), boundsOverHttp);
  }, 3_600_000);
});

function expectSteady(
  transport: string,
  { samples, tally, warnings, seconds }: EnduranceResult,
  bounds: Bounds,
): void {
  if (isLong) print(transport, samples, seconds);
  expect(growth(samples, bounds)).toEqual([]);
  expect(warnings).toEqual([]);
  // Make sure that every operation was actually called.
  expect(everyOperation.filter((id) => !tally.get(`${id} done`))).toEqual([]);
  expect([...tally.keys()].filter((end) => !end.endsWith(' done')).sort()).toEqual([
    'tickets.create invalid_board',
    'tickets.create invalid_request',
    'tickets.get not_found',
  ]);
}

function print(transport: string, samples: readonly Sample[], seconds: number): void {
  const rows = samples
    .filter((_, index) => (index + 1) % (samples.length / 10) === 0)
    .map(({ requests, heap, journal, listeners, handles }) => ({
      requests,
      'heap, MB': (heap / 1e6).toFixed(2),
      journal,
      listeners,
      handles,
    }));
  console.table(rows);
  console.info(
    `${transport}: ${bytesPerRequest(samples).toFixed(3)} bytes per request, ${seconds.toFixed(0)} s`,
  );
}

test('growth() reports a server that keeps every request in memory', async () => {
  const mock = createMockServer({ world, now, journalLimit });
  const retained: Request[] = [];
  const fetch: typeof globalThis.fetch = (input, init) => {
    retained.push(new Request(input, init));
    return mock.fetch(input, init);
  };
  const options = { requests: 500, samples };
  const { samples: measured } = await runEndurance(
    mock,
    { ...mock.clientOptions({ token: 'wt_acme' }), fetch },
    options,
  );
  expect(growth(measured, bounds)).toEqual([expect.stringContaining('the heap grows by')]);
}, 60_000);
