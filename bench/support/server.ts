import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A plain server in a process of its own, so that its work is not counted as the client's. */
export async function startPlainServer(): Promise<{ url: string; stop: () => void }> {
  const child = fork(fileURLToPath(new URL('./plain-server.mjs', import.meta.url)), { execArgv: [] });
  const [url] = (await once(child, 'message')) as [string];
  return { url, stop: () => child.kill() };
}
