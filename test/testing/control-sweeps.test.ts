import { setTimeout as sleep } from 'node:timers/promises';
import { expect as expectAny, test as plainTest, vi } from 'vitest';
import { Worktrack } from 'worktrack';
import { type Change, controlSweeps, memoryBook, watchChanges } from 'worktrack/jobs';
import { createMockServer } from 'worktrack/mock-server';
import { expect, test } from 'worktrack/testing/vitest';

/** Watches a project's tickets and handles each change slowly. */
async function watch(client: Worktrack, project: string, handled: Change[], signal?: AbortSignal) {
  const book = memoryBook();
  const options = { client: client.withOptions({ retry: 0 }), project, include: ['ticket'] } as const;
  const errors: Error[] = [];
  const onError = (error: Error) => errors.push(error);
  for await (const change of watchChanges({ ...options, book, signal, onError })) {
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
  void watch(client, project.id, second as Change[]);
  await sweep();
  mock.add.ticket({ board: board.id });
  await sweep();
  expect([first?.length, second?.length]).toEqual([1, 1]);
});

test('sweep waits for a bot that is restarted', async ({ mock, client }) => {
  const sweep = controlSweeps(mock, client);
  const project = mock.add.project();
  const board = mock.add.board({ project: project.id });
  const book = memoryBook();
  const handled: string[] = [];
  /** Fails at the first change, and restarts a moment later. */
  const runBot = async (delayMs: number): Promise<void> => {
    await sleep(delayMs);
    try {
      for await (const { recordId } of watchChanges({
        client,
        project: project.id,
        include: ['ticket'],
        book,
      })) {
        handled.push(recordId);
        if (handled.length === 1) throw new Error('the bot has crashed');
      }
    } catch {
      await runBot(50);
    }
  };
  void runBot(50);
  await sweep();
  const { id } = mock.add.ticket({ board: board.id });
  await sweep();
  expect(handled).toEqual([id]);
  await sweep();
  expect(handled).toEqual([id, id]);
});

plainTest('sweep rejects if no feed starts, and controlSweeps rejects other clients', async () => {
  vi.useFakeTimers();
  const mock = createMockServer();
  const client = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });
  const swept = expectAny(controlSweeps(mock, client)()).rejects.toThrow('no feed is running');
  await vi.runAllTimersAsync();
  await swept;
  vi.useRealTimers();
  expectAny(() => controlSweeps(mock, {} as Worktrack)).toThrow(
    'the client was not created by this copy of worktrack',
  );
});
