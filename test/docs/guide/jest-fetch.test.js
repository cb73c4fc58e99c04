const { afterEach, beforeEach, expect, test } = require('@jest/globals');
const { Worktrack } = require('worktrack');
const { createMockServer } = require('worktrack/mock-server');

const mock = createMockServer({ unhandled: 'error' });

beforeEach(() => {
  mock.reset();
  jest.spyOn(globalThis, 'fetch').mockImplementation(mock.fetch);
});
afterEach(() => {
  jest.restoreAllMocks();
  mock.requests.expectNoUnhandled();
});

test('a new organization has no projects', async () => {
  const client = new Worktrack(mock.clientOptions());

  expect(await client.projects.list()).toEqual([]);
});
