import { getResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type ConformanceOptions, formatJUnit, formatText, runConformance } from 'worktrack/conformance';
import { operationIds } from 'worktrack/contract';
import { createMockServer, type MockServer, type World } from 'worktrack/mock-server';
import { listen } from 'worktrack/mock-server/node';
import { checkedFetch } from '../openapi/validator.js';

// Each run sends hundreds of requests, some with a million characters in the body.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanups.splice(0)) await cleanUp();
});

const optionsOf = (mock: MockServer): ConformanceOptions => ({ ...mock.clientOptions(), fetch: mock.fetch });

/** An organization with a second credential that has no scopes. */
const world: World = {
  organizations: [
    {
      id: 'org_acme',
      name: 'Acme',
      users: [{ name: 'Ada', role: 'owner' }],
      credentials: [{ token: 'wt_all' }, { token: 'wt_none', scopes: [] }],
    },
  ],
};

/** Returns a run's requests and responses without the server's URL, which may differ between runs. */
async function transcript(options: ConformanceOptions): Promise<string[]> {
  const lines: string[] = [];
  const report = await runConformance({
    ...options,
    includeOptional: true,
    limitedCredential: { token: 'wt_none', scopes: [] },
    onExchange: (request, status, body) =>
      lines.push(`${request} ${status} ${body.replaceAll(options.baseUrl, '')}`),
  });
  expect(formatText(report)).toMatch(/ 0 failed, 0 not checkable$/);
  expect(new Set(report.results.map(({ operation }) => operation)).size).toBe(operationIds.length);
  return lines;
}

describe('runConformance with different integrations', () => {
  let direct: string[];

  beforeAll(async () => {
    const mock = createMockServer({ world });
    // `checkedFetch` also validates the traffic against the OpenAPI document.
    direct = await transcript({ ...optionsOf(mock), fetch: checkedFetch(mock.fetch) });
  });

  test('passes with mock.fetch', () => {
    expect(direct.length).toBeGreaterThan(300);
  });

  test("gets the same responses from MSW's setupServer as from mock.fetch", async () => {
    const mock = createMockServer({ world });
    const server = setupServer(...mock.handlers);
    server.listen({ onUnhandledRequest: 'error' });
    cleanups.push(() => server.close());

    expect(await transcript(mock.clientOptions())).toEqual(direct);
  });

  test("gets the same responses from MSW's getResponse as from mock.fetch", async () => {
    const mock = createMockServer({ world });
    const fetch = async (url: string | URL | Request, init?: RequestInit) => {
      const response = await getResponse([...mock.handlers], new Request(url, init));
      return response ?? Response.error();
    };

    expect(await transcript({ ...mock.clientOptions(), fetch })).toEqual(direct);
  });

  test('gets the same responses over HTTP as from mock.fetch', async () => {
    const server = await listen({ world });
    cleanups.push(() => server.close());

    expect(await transcript(server.clientOptions())).toEqual(direct);
  });

  test('gets the same responses from a space over HTTP as from mock.fetch', async () => {
    const server = await listen({ world });
    cleanups.push(() => server.close());
    const options = server.createSpace('conformance', { world }).clientOptions();

    expect(await transcript(options)).toEqual(direct);
  });
});

describe('runConformance', () => {
  test('reports a rule as not checkable if the credential lacks the scope', async () => {
    const mock = createMockServer({
      world: {
        organizations: [
          { name: 'Acme', credentials: [{ token: 'wt', scopes: ['organization:read', 'projects:read'] }] },
        ],
      },
    });
    const report = await runConformance(optionsOf(mock));

    expect(report.failed).toBe(0);
    expect(report.passed).toBeGreaterThan(1);
    expect(report.notCheckable).toBeGreaterThan(80);
    expect(formatText(report)).toContain("the credential isn't allowed to do this (403)");
  });

  test('checks only the given operations', async () => {
    const report = await runConformance({
      ...optionsOf(createMockServer()),
      operations: ['boards.list', 'boards.reorder'],
    });

    expect(new Set(report.results.map(({ operation }) => operation))).toEqual(
      new Set(['boards.list', 'boards.reorder']),
    );
  });

  test('rejects if the deployment is unreachable', async () => {
    const server = await listen();
    await server.close();

    await expect(runConformance(server.clientOptions())).rejects.toThrow('fetch failed');
  });
});

test("formatJUnit includes the report's totals and escapes messages", async () => {
  const mock = createMockServer();
  mock.override('organization.get', () => Response.json({ message: '<"&\n' }, { status: 500 }));
  const report = await runConformance({
    ...optionsOf(mock),
    operations: ['organization.get', 'projects.labels.list'],
  });
  const xml = formatJUnit(report);

  expect(xml).toContain(
    `tests="${report.results.length}" failures="${report.failed}" skipped="${report.notCheckable}"`,
  );
  expect(xml.match(/<failure /g)).toHaveLength(report.failed);
  expect(xml).toContain('&lt;&quot;&amp;&#10;');
});
