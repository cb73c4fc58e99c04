import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Server {
  url: string;
  stop: () => void;
}

/** A plain server, which answers with one ticket or with the text given. */
export const startPlainServer = (text?: string): Promise<Server> =>
  start('plain-server.mjs', { execArgv: [] }, text);

/** The reference server over HTTP, with 100,000 tickets. */
export const startReferenceServer = (): Promise<Server> => start('mock-server.ts');

/** A server in a process of its own, so that its work is not counted as the client's. */
async function start(file: string, options = {}, text?: string): Promise<Server> {
  const child = fork(fileURLToPath(new URL(`./${file}`, import.meta.url)), options);
  if (text !== undefined) child.send(text);
  const [url] = (await once(child, 'message')) as [string];
  return { url, stop: () => child.kill() };
}
