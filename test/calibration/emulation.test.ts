import { expect, test } from 'vitest';
import { calibrate } from 'worktrack/conformance';
import { createMockServer, type Deployment } from 'worktrack/mock-server';
import { createForeignDeployment, foreign } from './support/foreign-deployment.js';
import { sendHiddenRequests } from './support/hidden-requests.js';

/** Returns the hidden requests that the foreign deployment and a mock server respond to differently. */
async function differencesWith(deployment: Deployment | undefined) {
  const expected = await sendHiddenRequests(createForeignDeployment(foreign).options);
  const mock = createMockServer({ deployment });
  const { baseUrl, token, organization } = mock.clientOptions();
  const actual = await sendHiddenRequests({ baseUrl, token, organization, fetch: mock.fetch });
  const pairs = expected.map((response, index) => ({ expected: response, actual: actual[index] }));
  const differing = pairs.filter((pair) => JSON.stringify(pair.expected) !== JSON.stringify(pair.actual));
  return { differing, total: pairs.length };
}

test("the mock server emulates a calibrated deployment even for requests that the calibration didn't send", async () => {
  const { mock: foreignMock, options } = createForeignDeployment(foreign);
  const { deployment, undeletedRecords } = await calibrate({ ...options, includeRules: false });
  const { projects, documents, notifications } = foreignMock.state;
  expect([undeletedRecords, projects.all(), documents.all(), notifications.all()]).toEqual([[], [], [], []]);
  const before = await differencesWith(undefined);
  const after = await differencesWith(deployment);
  console.log(
    `different responses: ${before.differing.length} of ${before.total} before the calibration, ` +
      `${after.differing.length} of ${after.total} after it`,
  );
  expect(after.differing).toEqual([]);
  expect(before.differing.length).toBeGreaterThan(60);
  // The mock server can't make up values for a field that isn't in the contract.
  expect(deployment.notEmulated).toEqual([
    'the field "web_url" of tickets.create, tickets.get, tickets.list, tickets.move, tickets.update: the mock server returns a placeholder',
  ]);
});
