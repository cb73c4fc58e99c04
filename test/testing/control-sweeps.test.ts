import { setTimeout as sleep } from 'node:timers/promises';
import { expect as expectAny, test as plainTest, vi } from 'vitest';
import { Worktrack } from 'worktrack';
import { type Change, controlSweeps, memorySnapshot, watchChanges } from 'worktrack/jobs';
import { createMockServer } from 'worktrack/mock-server';
import { expect, test } from 'worktrack/testing/vitest';

/** Watches a project's tickets and handles each change slowly. */
async function watch(client: Worktrack, project: string, handled: Change[], signal?: AbortSignal) {
  const snapshot = memorySnapshot();
  const options = { client: client.withOptions({ retry: 0 }), project, include: ['ticket'] } as const;
  const errors: Error[] = [];
  const onError = (error: Error) => errors.push(error);
  for await (const change of watchChanges({ ...options, snapshot, signal, onError })) {
    await sleep(5);
    handled.push(change);
  }
  return errors;
}

test('sweep advances the mock clock and resolves once all changes are handled', async ({ mock, client }) => {
  const sweep = controlSweeps(mock, client);
  const project = mock.add.project();
  const board = mock.add.board({ project: project.id });
  const handled: Change[] = [];
  void watch(client, project.id, handled);
  const start = mock.clock.milliseconds();
  await sweep();
  for (const title of ['One', 'Two']) mock.add.ticket({ board: board.id, title });
  await sweep();
  expect(handled).toMatchObject([
    { type: 'ticket.created', after: { title: 'One' } },
    { type: 'ticket.created', after: { title: 'Two' } },
  ]);
  expect(Date.parse(handled[0]?.observedAt ?? '') - start).toBe(15_000);
  expect(mock).toHaveReceivedTimes('tickets.list', 2);
});

test('sweep can be used with feeds that fail, end, or start later', async ({ mock, client }) => {
  const sweep = controlSweeps(mock, client);
  const project = mock.add.project();
  const board = mock.add.board({ project: project.id });
  const [first, second]: Change[][] = [[], []];
  const stop = new AbortController();
  const ended = watch(client, project.id, first as Change[], stop.signal);
  await sweep();
  mock.faults.add({ operation: 'tickets.list', status: 503, times: 1 });
  await sweep();
  mock.add.ticket({ board: board.id });
  await sweep();
  stop.abort();
  expect(await ended).toMatchObject([{ status: 503 }]);
  await sweep();
  void watch(client, project.id, second as Change[]);
  await sweep();
  mock.add.ticket({ board: board.id });
  await sweep();
  expect([first?.length, second?.length]).toEqual([1, 1]);
});

plainTest('sweep rejects if no feed starts, and controlSweeps rejects other clients', async () => {
  vi.useFakeTimers();
  const mock = createMockServer();
  const client = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });
  const swept = expectAny(controlSweeps(mock, client)()).rejects.toThrow('no feed has started');
  await vi.runAllTimersAsync();
  await swept;
  vi.useRealTimers();
  expectAny(() => controlSweeps(mock, {} as Worktrack)).toThrow(
    'the client was not created by this copy of worktrack',
  );
});
