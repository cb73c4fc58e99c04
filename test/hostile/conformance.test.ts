import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { type ConformanceOptions, runConformance } from 'worktrack/conformance';
import { createMockServer } from 'worktrack/mock-server';
import { listen } from 'worktrack/mock-server/node';
import { listenOnLoopback } from '../support/loopback.js';
import { skipWaits } from '../support/timers.js';

async function serve(handle: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listenOnLoopback(createServer(handle))}`;
}

const run = (baseUrl: string, options: Partial<ConformanceOptions> = {}) =>
  runConformance({ baseUrl, token: 'wt_secret', organization: 'org_1', ...options });

const json = (response: ServerResponse, status: number, body: unknown) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

describe('runConformance against a hostile server', { timeout: 60_000 }, () => {
  test("doesn't follow redirects, which could send the token to another server", async () => {
    const received: unknown[] = [];
    const other = await serve((request, response) => {
      received.push(request.headers);
      json(response, 200, { data: {} });
    });
    const baseUrl = await serve((request, response) => {
      response.writeHead(307, { location: other + request.url }).end();
    });
    const credential = { header: 'x-api-key', scheme: '' };

    const report = await run(baseUrl, { wire: { credential } });

    expect(received).toEqual([]);
    expect(report.passed).toBe(0);
    const first = report.results.find(({ outcome }) => outcome === 'fail');
    expect(first?.message).toMatch(/expected 401 .*got 307: redirects aren't followed; check the base URL$/);
  });

  test('rejects a plain HTTP base URL before sending anything', async () => {
    const failed = run('http://work.example.com', { fetch: () => expect.unreachable() });
    await expect(failed).rejects.toMatchObject({
      name: 'ConfigurationError',
      message: expect.stringContaining('plain http exposes the token'),
    });
  });

  test('sends requests over plain HTTP if allowPlainHttp is set', async () => {
    const urls: string[] = [];
    const fetch = async (url: unknown) => {
      urls.push(`${url}`);
      return Response.json({ data: [] });
    };
    await run('http://work.example.com', { fetch, allowPlainHttp: true, operations: ['projects.list'] });
    expect(urls).toEqual(['http://work.example.com/api/v1/organizations/org_1/projects']);
  });

  test('rejects if the server never responds', async () => {
    const baseUrl = await serve(() => {});
    await expect(run(baseUrl, { timeout: 50 })).rejects.toMatchObject({
      name: 'TypeError',
      message: 'no response within 0.05 s',
    });
  });

  test.each([
    ['a response that never starts', () => {}],
    [
      'a body that never ends',
      (_: unknown, response: ServerResponse) => void response.writeHead(200).write('{"data":'),
    ],
  ])('reports a rule as not checkable if a request gets %s', async (_, stall) => {
    let requests = 0;
    const baseUrl = await serve((request, response) => {
      requests += 1;
      if (requests === 1) json(response, 401, {});
      else stall(request, response);
    });
    const { results } = await run(baseUrl, {
      timeout: 500,
      operations: ['projects.list'],
      includeOptional: true,
    });
    expect(results.at(-1)).toMatchObject({
      outcome: 'not_checkable',
      message: 'the connection failed: no response within 0.5 s',
    });
  });

  test('reads only the start of a response body that never ends', async () => {
    let sent = 0;
    const baseUrl = await serve((_, response) => {
      const chunk = Buffer.alloc(1 << 16, ' ');
      const write = () => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length;
      };
      response.on('drain', write);
      write();
    });
    const { results } = await run(baseUrl, { maxResponseBytes: 1_000_000, operations: ['projects.list'] });
    expect(results.at(-1)).toMatchObject({
      outcome: 'fail',
      message: 'the response is longer than 1000000 bytes',
    });
    expect(sent).toBeLessThan(50_000_000);
  });

  test('aborts the request in flight when the run is stopped', async () => {
    const stop = new AbortController();
    const baseUrl = await serve(() => stop.abort());
    const { results } = await run(baseUrl, { signal: stop.signal, operations: ['projects.list'] });
    expect(results.at(-1)).toMatchObject({ outcome: 'not_checkable', message: 'the run was stopped' });
  });

  test("waits briefly for a record's ID if the run is stopped while creating the record", async () => {
    await using server = await listen();
    const stop = new AbortController();
    const { baseUrl, token, organization } = server.clientOptions();
    server.mock.override('projects.create', async (_, next) => {
      stop.abort();
      await new Promise((resolve) => setTimeout(resolve, 400));
      return next();
    });
    const options = { token: String(token), organization, signal: stop.signal };
    const report = await run(baseUrl, { ...options, operations: ['boards.list'] });
    expect(server.mock.requests.for('projects.create')).toHaveLength(1);
    expect(server.mock.state.projects.all()).toEqual([]);
    expect(report.undeletedRecords).toEqual([]);
  });

  test('stops trying to delete records if the server stops responding after the run is stopped', async () => {
    skipWaits();
    const mock = createMockServer();
    const stop = new AbortController();
    const { baseUrl, token, organization } = mock.clientOptions();
    const hang = () => new Promise<never>(() => {});
    for (const operation of ['documents.delete', 'projects.delete'] as const) {
      mock.override(operation, (_, next) => (stop.signal.aborted ? hang() : next()));
    }
    mock.override('documents.comments.create', () => {
      stop.abort();
      return hang();
    });
    const options = { token: String(token), organization, signal: stop.signal, fetch: mock.fetch };
    const operations = ['projects.get', 'documents.comments.create'] as const;
    const report = await run(baseUrl, { ...options, operations });
    expect(report.undeletedRecords.map((line) => line.replace(/ \w+:/, ':'))).toEqual([
      'documents.delete: the run was stopped',
      "projects.delete: the run was stopped, and the deployment doesn't respond",
    ]);
  });
});

test('worktrack conformance exits soon after SIGINT even if the server never responds', async () => {
  let requested = () => {};
  const received = new Promise<void>((resolve) => {
    requested = resolve;
  });
  const baseUrl = await serve(() => requested());
  const child = spawn(process.execPath, [join(inject('programs'), 'worktrack.mjs'), 'conformance'], {
    env: {
      ...process.env,
      WORKTRACK_BASE_URL: baseUrl,
      WORKTRACK_ORGANIZATION: 'org_1',
      WORKTRACK_TOKEN: 'wt',
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await received;
  child.kill('SIGINT');
  const [code] = await once(child, 'exit');
  expect(code).toBe(1);
}, 20_000);
