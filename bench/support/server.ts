import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Turn } from './measure.js';

export interface Server {
  url: string;
  /** Credentials to use in turn, where the server allows each of them only so many requests. */
  tokens?: string[] | undefined;
  stop: () => void;
}

export interface PlainServer extends Server {
  /** Has a path answered with this text. */
  serve: (path: string, text: string) => Promise<void>;
}

/** A plain server, which answers with one ticket or with the text given for a path. */
export async function startPlainServer(): Promise<PlainServer> {
  const { child, ...server } = await start('plain-server.mjs', [], { execArgv: [] });
  const serve = async (path: string, text: string) => {
    child.send({ path, text });
    await once(child, 'message');
  };
  return { ...server, serve };
}

/** The reference server over HTTP, with so many tickets. */
export const startReferenceServer = (tickets: number): Promise<Server> =>
  start('mock-server.ts', [String(tickets)]);

/** A mock server from the registry, with so many records like this one: a program of `peers/`. */
export const startPeerServer = (name: string, tickets: number, ticket: object): Promise<Server> =>
  start(`../peers/${name}.mjs`, [String(tickets), JSON.stringify(ticket)], { execArgv: [] });

/** A client in a process of its own, which calls the server at the URL. */
export interface ClientProcess {
  take: (method: 'GET' | 'POST', turn: Turn) => Promise<number>;
  stop: () => void;
}

export async function startClient(name: string, url: string): Promise<ClientProcess> {
  const { child, stop } = await start('../peers/client-process.ts', [name, url]);
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${name} ended with exit code ${code}`);
  });
  // At the end it is stopped, which nobody waits for.
  ended.catch(() => {});
  const take = async (method: 'GET' | 'POST', turn: Turn) => {
    child.send({ method, turn });
    const [{ taken }] = (await Promise.race([once(child, 'message'), ended])) as [{ taken: number }];
    return taken;
  };
  return { take, stop };
}

/**
 * A server or a client in a process of its own, so that neither's work is counted as the other's.
 *
 * @throws where it says why it cannot, ends, or has said nothing for a minute
 */
async function start(file: string, args: string[], options = {}): Promise<Server & { child: ChildProcess }> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, options);
  const ready = new Promise<Ready>((resolve, reject) => {
    child.once('message', (message: Ready | { notRun: string }) =>
      'url' in message ? resolve(message) : reject(new Error(message.notRun)),
    );
    child.once('exit', (code) => reject(new Error(`it ended with exit code ${code} before it listened`)));
    setTimeout(() => reject(new Error('it was not ready within 60 s')), 60_000).unref();
  });
  try {
    return { ...(await ready), stop: () => child.kill(), child };
  } catch (error) {
    child.kill();
    throw error;
  }
}

type Ready = Pick<Server, 'url' | 'tokens'>;
