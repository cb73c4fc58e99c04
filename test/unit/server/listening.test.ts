import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Worktrack } from 'worktrack';
import { type ListenOptions, listen } from 'worktrack/mock-server/node';
import { world } from './support/server.js';

async function serve(options: ListenOptions = {}) {
  const server = await listen({ world, ...options });
  onTestFinished(() => server.close());
  return server;
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'worktrack-listen-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

const ticket = '/api/v1/tickets/tkt_1';
const headers = { authorization: 'Bearer wt_ci' };
const hasIPv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ family }) => family === 'IPv6'),
);

test.skipIf(!hasIPv6)(
  'the server URL has brackets around an IPv6 host (skipped without IPv6 support)',
  async () => {
    const { url } = await serve({ host: '::1' });

    expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect((await fetch(url + ticket, { headers })).status).toBe(200);
  },
);

test('the server responds to the first request that it accepts, even while it loads a state', async () => {
  const persist = join(await folder(), 'state.json');
  const first = await listen({ world, persist });
  const port = Number(new URL(first.url).port);
  await first.close();
  const starting = listen({ persist, port });

  let response: Response | undefined;
  while (!response) {
    response = await fetch(first.url + ticket, { headers }).catch((error) => {
      if (error.cause?.code !== 'ECONNREFUSED') throw error;
      return undefined;
    });
  }

  expect(response.status).toBe(200);
  await (await starting).close();
});

test('listen releases the state file if the port is in use', async () => {
  const persist = join(await folder(), 'state.json');
  const port = Number(new URL((await serve()).url).port);
  await expect(listen({ persist, port })).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use.`);
  await (await listen({ persist })).close();
});

test('listen rejects with EADDRNOTAVAIL if the IP address belongs to another machine', async () => {
  await expect(listen({ host: '192.0.2.1' })).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' });
});

test("the server allows any header if a preflight request doesn't list headers", async () => {
  const { url } = await serve();

  const response = await fetch(url + ticket, {
    method: 'OPTIONS',
    headers: { origin: 'http://localhost:5173', 'access-control-request-method': 'PATCH' },
  });

  expect(response.headers.get('access-control-allow-headers')).toBe('*');
});

test('close() waits a limited time for an in-flight request', async () => {
  const server = await listen({ world });
  server.mock.faults.add({ latency: 60_000 });
  const response = fetch(server.url + ticket, { headers });
  const failed = expect(response).rejects.toThrow('fetch failed');
  await vi.waitFor(() => expect(server.mock.requests.length).toBe(1));

  await server.close();

  await failed;
});

test('the server returns 500 and logs the error if an override throws', async () => {
  const server = await serve();
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => printed.mockRestore());
  server.mock.override('tickets.get', () => {
    throw new Error('a bug in the override');
  });

  const response = await fetch(server.url + ticket, { headers });

  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({ message: 'The mock server failed: a bug in the override' });
  expect(printed.mock.calls.flat().map(String).join('\n')).toContain(
    '[worktrack]\nError: a bug in the override',
  );
});

test.each([undefined, 'a bug'])(
  'the server returns 500 and logs the value if an override throws %j',
  async (thrown) => {
    const server = await serve();
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => printed.mockRestore());
    server.mock.override('tickets.get', () => {
      throw thrown;
    });

    const response = await fetch(server.url + ticket, { headers });

    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ message: `The mock server failed: ${thrown}` });
    expect(printed.mock.calls).toEqual([['[worktrack]', thrown]]);
  },
);

test("while the state file can't be written, the server returns 500 for valid writes but handles other requests", async () => {
  const path = await folder();
  const persist = join(path, 'below', 'state.json');
  await mkdir(join(path, 'below'));
  const server = await serve({ persist });
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => printed.mockRestore());
  const retitle = (title: string) =>
    fetch(server.url + ticket, { method: 'PATCH', headers, body: JSON.stringify({ title }) });
  await rename(join(path, 'below'), join(path, 'away'));

  const responses = await Promise.all(['One', 'Two', 'Three'].map(retitle));

  expect(responses.map(({ status }) => status)).toEqual([500, 500, 500]);
  expect(await responses[0]?.text()).toMatch(
    /The mock server failed: .+state\.json can't be written: ENOENT/,
  );
  expect((await fetch(server.url + ticket, { headers })).status).toBe(200);
  const invalid = await fetch(server.url + ticket, { method: 'PATCH', headers, body: '{"title":5}' });
  expect(invalid.status).toBe(422);
  expect(printed.mock.calls.flat().map(String).join('\n')).toContain('ENOENT');
  await rename(join(path, 'away'), join(path, 'below'));
  expect((await retitle('Four')).status).toBe(200);
  expect(await readFile(persist, 'utf8')).toContain('"title":"Four"');
});

test('listen rejects with a one-line error if the state file is a folder', async () => {
  const path = await folder();

  await expect(listen({ persist: path })).rejects.toThrow(`${path} can't be read: EISDIR`);
});

test('listen rejects with a one-line error if the state has a newer format version', async () => {
  const persist = join(await folder(), 'state.json');
  await (await listen({ world, persist })).close();
  const dump = JSON.parse(await readFile(persist, 'utf8'));
  await writeFile(persist, JSON.stringify({ ...dump, version: 2 }));

  await expect(listen({ persist })).rejects.toThrow(
    `${persist} doesn't contain valid state: state.version 2 isn't supported`,
  );
});

test("an incomplete request doesn't block close()", async () => {
  const server = await listen({ world });
  const socket = createConnection(Number(new URL(server.url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await new Promise<void>((resolve) => socket.write('GET / HTTP/1.1\r\nHost: x\r\n', () => resolve()));

  await server.close();

  await expect(fetch(server.url)).rejects.toThrow('fetch failed');
});

test.each([['0.0.0.0', '127.0.0.1'], ...(hasIPv6 ? [['::', '[::1]']] : [])])(
  'a server that listens on all interfaces (%s) has a reachable URL',
  async (host, name) => {
    const server = await serve({ host });

    expect(server.url).toBe(`http://${name}:${new URL(server.url).port}`);
    expect((await new Worktrack(server.clientOptions()).tickets.get('tkt_1')).id).toBe('tkt_1');
  },
);
