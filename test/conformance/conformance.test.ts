import { setupServer } from 'msw/node';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type ConformanceOptions, formatText, runConformance } from 'worktrack/conformance';
import { operationIds } from 'worktrack/contract';
import { createMockServer, type MockServer } from 'worktrack/mock-server';
import { listen } from 'worktrack/mock-server/node';
import { checkedFetch } from '../openapi/validator.js';
import { world } from './support/defects.js';

// Each run sends hundreds of requests, some with a million characters in the body.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const optionsOf = (mock: MockServer): ConformanceOptions => ({ ...mock.clientOptions(), fetch: mock.fetch });

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
  // The mark is random.
  const withoutMark = (line: string) => line.replaceAll(new RegExp(report.mark, 'gi'), 'mark');
  expect(formatText(report)).toMatch(/ 0 failed, 0 not checkable$/);
  expect(new Set(report.results.map(({ operation }) => operation)).size).toBe(operationIds.length);
  return lines.map(withoutMark);
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
    server.listen({ onUnhandledFrame: 'error' });
    onTestFinished(() => server.close());

    expect(await transcript(mock.clientOptions())).toEqual(direct);
  });

  test('gets the same responses over HTTP as from mock.fetch', async () => {
    const server = await listen({ world });
    onTestFinished(() => server.close());

    expect(await transcript(server.clientOptions())).toEqual(direct);
  });
});
