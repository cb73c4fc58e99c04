import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Exchange } from './history.js';
import type { ModelRequest } from './model/response.js';

/** A request for the model, and the equivalent `fetch` arguments. */
export interface Outgoing {
  request: ModelRequest;
  url: string;
  init: RequestInit;
}

/**
 * Sends requests from several processes that start at the same time.
 *
 * @param requestLists - Request sequences to distribute among the processes. All sequences run concurrently.
 */
export async function playInProcesses(
  count: number,
  requestLists: readonly Outgoing[][],
): Promise<Exchange[]> {
  const children = Array.from({ length: count }, () => {
    const args = ['--input-type=module', '--eval', program];
    return spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  });
  try {
    await Promise.all(children.map((child) => once(child, 'message')));
    const histories = children.map((child) => once(child, 'message'));
    children.forEach((child, index) => {
      child.send(requestLists.filter((_, position) => position % count === index));
    });
    return (await Promise.all(histories)).flatMap(([history]) => history as Exchange[]);
  } finally {
    for (const child of children) child.kill();
  }
}

/** The code each process runs. It uses the monotonic clock, which is shared by all processes on a machine. */
const program = `
  const clock = () => Number(process.hrtime.bigint()) / 1e6;
  process.once('message', async (lanes) => {
    const histories = await Promise.all(lanes.map(async (lane) => {
      const history = [];
      for (const { request, url, init } of lane) {
        const sentAt = clock();
        const response = await fetch(url, init);
        const text = await response.text();
        const body = text ? JSON.parse(text) : undefined;
        const received = { status: response.status, body, data: body?.data };
        history.push({ request, response: received, sentAt, receivedAt: clock() });
      }
      return history;
    }));
    process.send(histories.flat());
  });
  process.send('ready');
`;
