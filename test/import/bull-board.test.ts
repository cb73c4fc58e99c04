import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { AppControllerRoute, IServerAdapter } from '@bull-board/api/typings/app';
import { expect, it } from 'vitest';
import { queueName, useBackend } from './backends.js';
import { openQueue } from './set-up-import.js';

const backend = useBackend();

it('Bull Board can display an import queue without any extra code', { timeout: 60_000 }, async () => {
  const name = queueName();
  const queue = await openQueue({ name, ...backend.options });
  await queue.add([{ id: 'ABC-1', title: 'Fuel' }], { key: ({ id }) => id });

  const routes: AppControllerRoute[] = [];
  const queues = new Map();
  const chain = () => adapter;
  // This adapter doesn't start an HTTP server, so the test calls Bull Board's handlers directly.
  const adapter: IServerAdapter = {
    setQueues: (all) => {
      for (const [key, value] of all) queues.set(key, value);
      return adapter;
    },
    setApiRoutes: (all) => {
      routes.push(...all);
      return adapter;
    },
    setViewsPath: chain,
    setStaticPath: chain,
    setEntryRoute: chain,
    setErrorHandler: chain,
    setUIConfig: chain,
  };
  createBullBoard({ queues: [new BullMQAdapter(queue.bullmq)], serverAdapter: adapter });
  const list = routes.find(({ route }) => [route].flat().includes('/api/queues'));
  const response = await list?.handler({
    queues,
    query: { activeQueue: name, status: 'waiting' },
    params: {},
    body: {},
    headers: {},
    uiConfig: {},
  });
  const [shown] = (response as { body: { queues: unknown[] } }).body.queues;
  expect(shown).toMatchObject({
    name,
    counts: { waiting: 1 },
    jobs: [{ name: 'ABC-1', data: { key: 'ABC-1', row: { title: 'Fuel' } } }],
  });
});
