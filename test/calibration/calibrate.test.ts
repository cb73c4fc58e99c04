import { describe, expect, test } from 'vitest';
import { calibrate, formatCalibration } from 'worktrack/conformance';
import { createMockServer } from 'worktrack/mock-server';
import { scenarios } from '../../addons/conformance/scenarios/index.js';
import { choiceIds, choices } from '../../mock-server/deployment/choices.js';
import { calibrateMock, deploymentWith } from './support/mock-deployment.js';

describe('calibrate', () => {
  test('determines every choice that the mock server makes', async () => {
    const { deployment } = await calibrateMock(createMockServer());
    expect(deployment.choices).toEqual(
      Object.fromEntries(choiceIds.map((id) => [id, { observed: choices[id].mockValue }])),
    );
    expect(deployment.notEmulated).toEqual([]);
  });

  // Runs the conformance kit twice.
  test('reports that the mock server follows every rule that was checked', async () => {
    const mock = createMockServer();
    const calibration = await calibrate({ ...mock.clientOptions(), fetch: mock.fetch });
    const outcomes = Object.values(calibration.deployment.rules);
    expect(outcomes.filter((outcome) => outcome === 'different')).toEqual([]);
    const same = outcomes.filter((outcome) => outcome === 'same').length;
    expect(same).toBeGreaterThan(200);
    expect(formatCalibration(calibration)).toMatch(
      new RegExp(
        `^${choiceIds.length} of ${choiceIds.length} choices observed, ${same} of ${scenarios.length} rules emulated, the fields of 24 operations recorded \\(\\d+ requests\\)$`,
      ),
    );
  });

  test.each([
    ['created_at', 'newest_first'],
    ['updated_at', 'recently_updated_first'],
  ])(
    'determines the order of lists that are sorted by %s even if timestamps contain only whole seconds',
    async (field, order) => {
      const mock = createMockServer({
        deployment: deploymentWith({ timestampFormat: '0000-00-00T00:00:00Z' }),
      });
      const fetch: typeof globalThis.fetch = async (...request) => {
        const response = await mock.fetch(...request);
        const body = await response
          .clone()
          .json()
          .catch(() => undefined);
        const items: Record<string, string>[] = body?.data?.data ?? body?.data;
        if (!Array.isArray(items)) return response;
        items.sort((one, other) => Date.parse(other[field] ?? '') - Date.parse(one[field] ?? ''));
        return new Response(JSON.stringify(body), response);
      };
      const { deployment } = await calibrateMock(mock, { fetch });
      expect(deployment.choices).toMatchObject({
        ticketOrder: { observed: order },
        documentOrder: { observed: order },
        projectOrder: { observed: order },
      });
    },
  );

  test("waits for the deployment's clock only once if the clock has stopped", async () => {
    const mock = createMockServer();
    const waits: number[] = [];
    const wait = async (milliseconds: number) => void waits.push(milliseconds);
    await calibrateMock(mock, { wait });
    expect(waits).toEqual([10, 1000]);
  });

  test("doesn't store any values from the deployment's records", async () => {
    const planted = (kind: string) => `planted ${kind} Zq7`;
    const mock = createMockServer({
      world: {
        organizations: [
          {
            id: 'planted-organization-Zq7',
            name: planted('organization'),
            users: [{ name: planted('user'), email: 'planted-Zq7@example.com', role: 'owner' }],
            credentials: [{ token: 'planted-token-Zq7', name: planted('credential') }],
            projects: [
              {
                name: planted('project'),
                key: 'PLZq7',
                description: planted('description'),
                labels: [{ name: planted('label') }],
                boards: [
                  { name: planted('board'), tickets: [{ title: planted('ticket'), tags: [planted('tag')] }] },
                ],
              },
            ],
            documents: [{ title: planted('document'), content_html: planted('content') }],
          },
        ],
      },
    });
    // Some APIs use values as field names.
    mock.override('projects.analytics.get', async (_, next) => ({
      ...(await next()),
      by_user: { 'planted-Zq7@example.com': 3, [planted('user')]: 4, usr_48213: 5 },
    }));
    for (const readOnly of [true, false]) {
      const { deployment } = await calibrateMock(mock, { readOnly });
      const file = JSON.stringify(deployment);
      expect(file).not.toMatch(/planted|Zq7|48213/i);
      if (readOnly) {
        const analytics = deployment.shapes['projects.analytics.get'];
        expect(analytics?.fields?.by_user?.fields).toEqual({ '*': { types: ['number'] } });
      }
    }
  });

  test('rejects an unknown option and an unreachable deployment', async () => {
    const { baseUrl, token, organization } = createMockServer().clientOptions();
    const options = { baseUrl, token, organization };
    await expect(calibrate({ ...options, readonly: true } as never)).rejects.toThrow(
      'calibrate: unknown option "readonly"; did you mean "readOnly"?',
    );
    const fetch = () => Promise.reject(new TypeError('fetch failed'));
    await expect(calibrate({ ...options, fetch })).rejects.toThrow('fetch failed');
    await expect(calibrate({ ...options, fetch, readOnly: true })).rejects.toThrow('fetch failed');
  });
});
