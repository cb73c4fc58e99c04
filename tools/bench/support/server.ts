import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Turn } from './measure.js';

export interface Server {
  url: string;
  /** The tokens to use in turn if the server limits requests per credential. */
  tokens?: string[] | undefined;
  stop: () => void;
}

export interface PlainServer extends Server {
  /** Sets the response body for a path. */
  serve: (path: string, text: string) => Promise<void>;
}

/** Starts a server that responds to every path with the same ticket, unless a body is set for the path. */
export async function startPlainServer(): Promise<PlainServer> {
  const { child, ...server } = await start('plain-server.mjs', [], { execArgv: [] });
  const serve = async (path: string, text: string) => {
    child.send({ path, text });
    await once(child, 'message');
  };
  return { ...server, serve };
}

/** Starts an HTTP mock server with the given number of tickets. */
export const startReferenceServer = (tickets: number): Promise<Server> =>
  start('mock-server.ts', [String(tickets)]);

/** Starts a third-party mock server from `peers/` with the given number of records. */
export const startPeerServer = (name: string, tickets: number, ticket: object): Promise<Server> =>
  start(`../peers/${name}.mjs`, [String(tickets), JSON.stringify(ticket)], { execArgv: [] });

/** A client that runs in its own process. */
export interface ClientProcess {
  take: (method: 'GET' | 'POST', turn: Turn) => Promise<number>;
  stop: () => void;
}

export async function startClient(name: string, url: string): Promise<ClientProcess> {
  const { child, stop } = await start('../peers/client-process.ts', [name, url]);
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`${name} exited with code ${code}`);
  });
  // Prevent an unhandled rejection when `stop` kills the process.
  exited.catch(() => {});
  const take = async (method: 'GET' | 'POST', turn: Turn) => {
    child.send({ method, turn });
    const [{ taken: duration }] = (await Promise.race([once(child, 'message'), exited])) as [
      { taken: number },
    ];
    return duration;
  };
  return { take, stop };
}

/**
 * Starts a server or client in its own process, so that its CPU time can be measured separately.
 *
 * @throws Error if the process reports an error, exits, or isn't ready within a minute
 */
async function start(file: string, args: string[], options = {}): Promise<Server & { child: ChildProcess }> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, options);
  const ready = new Promise<Ready>((resolve, reject) => {
    child.once('message', (message: Ready | { notRun: string }) =>
      'url' in message ? resolve(message) : reject(new Error(message.notRun)),
    );
    child.once('exit', (code) => reject(new Error(`it exited with code ${code} before it was ready`)));
    setTimeout(() => reject(new Error("it wasn't ready within 60 s")), 60_000).unref();
  });
  try {
    return { ...(await ready), stop: () => child.kill(), child };
  } catch (error) {
    child.kill();
    throw error;
  }
}

type Ready = Pick<Server, 'url' | 'tokens'>;
