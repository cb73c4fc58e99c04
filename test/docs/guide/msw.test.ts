import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';

const mock = createMockServer({ unhandled: 'error' });
const server = setupServer(...mock.handlers);

beforeAll(() => server.listen(mock.mswOptions));
beforeEach(() => mock.reset());
afterEach(() => mock.requests.expectNoUnhandled());
afterAll(() => server.close());

test('a new organization has no projects', async () => {
  const client = new Worktrack(mock.clientOptions());

  expect(await client.projects.list()).toEqual([]);
});
