import { describe, expect, test, vi } from 'vitest';
import { type ConformanceReport, formatText } from 'worktrack/conformance';
import { operationIds, operationOf, type Scope } from 'worktrack/contract';
import { createMockServer, type MockServer } from 'worktrack/mock-server';
import { runWords } from '../unit/cli/support/run.js';
import { type Deployment, differing, serve, unchanged } from './support/deployments.js';

// Each run sends hundreds of requests, some with a million characters in the body.
vi.setConfig({ testTimeout: 60_000 });

/** Creates a mock server with a second credential that can only read the organization and its projects. */
const createMock = (): MockServer =>
  createMockServer({
    world: {
      organizations: [
        {
          id: 'org_acme',
          name: 'Acme',
          users: [{ name: 'Ada', role: 'owner' }],
          credentials: [
            { token: 'wt_all', scopes: ['*'] },
            { token: 'wt_limited', scopes: limitedScopes },
          ],
        },
      ],
    },
  });

const limitedScopes: Scope[] = ['organization:read', 'projects:read'];

/** Runs `worktrack conformance` against a local deployment. */
async function conformance(deployment: Deployment, ...flags: string[]) {
  const env = {
    WORKTRACK_BASE_URL: await serve(deployment),
    WORKTRACK_ORGANIZATION: 'org_acme',
    WORKTRACK_TOKEN: 'wt_all',
    WORKTRACK_LIMITED_TOKEN: 'wt_limited',
  };
  const result = await runWords(['conformance', '--format', 'json', ...flags], { env });
  return { ...result, report: JSON.parse(result.output) as ConformanceReport };
}

const notCheckable = ({ results }: ConformanceReport) =>
  results.filter(({ outcome }) => outcome === 'not_checkable');

/** Asserts that the run left no records behind. */
function expectCleanedUp(mock: MockServer, report: ConformanceReport): void {
  expect(report.undeletedRecords).toEqual([]);
  expect([mock.state.projects.all(), mock.state.documents.all(), mock.state.notifications.all()]).toEqual([
    [],
    [],
    [],
  ]);
}

describe('a conformance run', () => {
  test('passes if the deployment follows the specification', async () => {
    const mock = createMock();
    const { code, report } = await conformance(unchanged(mock), '--limited-scopes', limitedScopes.join(','));
    expect(report).toMatchObject({ failed: 0 });
    expect(code).toBe(0);
    // The second credential has these scopes, so the rules about missing scopes can't be checked.
    const withScope = operationIds.filter((id) => limitedScopes.includes(operationOf(id).scope));
    expect(notCheckable(report).map(({ operation }) => operation)).toEqual(withScope);
    expect(notCheckable(report)[0]?.message).toBe('the second credential has the organization:read scope');
    expect(report.passed).toBeGreaterThan(120);
    expect(report.requests).toBeLessThan(466);
    expectCleanedUp(mock, report);
  });

  test('passes if the deployment adds default boards, omits optional fields, and returns errors with only a message', async () => {
    const mock = createMock();
    const { code, report } = await conformance(differing(mock));
    expect(report.results.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
    expect(code).toBe(0);
    expect(report.passed).toBeGreaterThan(100);
    expect(
      new Set(notCheckable(report).map(({ message }) => message?.replace(/^.* doesn't return /, ''))),
    ).toEqual(
      new Set([
        '"archived_at"',
        '"author"',
        '"creator"',
        '"editors"',
        '"slug"',
        '"tags"',
        'the second credential may have the organization:read scope; list its scopes to check this rule',
        'the second credential may have the projects:read scope; list its scopes to check this rule',
      ]),
    );
    expectCleanedUp(mock, report);
  });
});

test("a conformance run lists the records that it couldn't delete, and exits with code 1", async () => {
  const mock = createMock();
  const broken: Deployment = async (request) =>
    request.method === 'DELETE' ? Response.json({}, { status: 500 }) : unchanged(mock)(request);
  const { code, report } = await conformance(broken, '--operation', 'boards.create');
  expect([code, report.failed]).toEqual([1, 0]);
  expect(report.undeletedRecords).toHaveLength(mock.state.projects.all().length);
  expect(report.undeletedRecords[0]).toMatch(/^projects\.delete \w+: 500$/);
  expect(formatText(report)).toContain('! could not be deleted: projects.delete');
});
