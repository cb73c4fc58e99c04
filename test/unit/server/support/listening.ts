import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { StateDump } from 'worktrack/mock-server';
import { type ListenOptions, listen } from 'worktrack/mock-server/node';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { world } from './server.js';

export { temporaryFolder };

/** The headers that authorize a request, and a path that requires them. */
export const headers = { authorization: 'Bearer wt_ci' };
export const ticket = '/api/v1/tickets/tkt_1';

/** Starts a server and closes it after the test. */
export async function serve(options: ListenOptions = {}) {
  const server = await listen({ world, ...options });
  onTestFinished(() => server.close());
  return server;
}

/** Returns a path for a state file. Its folder is deleted after the test. */
export const stateFile = async (): Promise<string> => join(await temporaryFolder(), 'state.db');

/** Returns the state that a server would start with if the server that uses the file were killed now. */
export async function stateAfterCrash(persist: string): Promise<StateDump> {
  const copy = await stateFile();
  for (const suffix of ['-wal', '']) await copyFile(persist + suffix, copy + suffix).catch(() => {});
  await using server = await listen({ persist: copy });
  return server.mock.export();
}

/** Sends a request to a listening server and reads the response. */
export async function send(base: string, method: string, path: string, body?: unknown) {
  const response = await fetch(base + path, {
    method,
    headers,
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, json: text && JSON.parse(text), text };
}

/** Starts a server, and returns functions that send requests to it and to its admin routes. */
export async function serveAdmin(options: ListenOptions = {}) {
  const server = await serve(options);
  const sendTo = async (method: string, path: string, body?: unknown) => {
    const { status, json } = await send(server.url, method, path, body);
    return { status, data: json.data, message: json.message };
  };
  const admin = (method: string, path: string, body?: unknown) => sendTo(method, `/__admin${path}`, body);
  return { ...server, send: sendTo, admin };
}

/** Replaces `console.error` so that a test's expected errors aren't printed. */
export function captureErrors() {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => printed.mockRestore());
  return printed;
}
