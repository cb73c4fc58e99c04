import { createMockServer, type MockServer, type MockServerOptions } from '../mock-server/index.js';
import { Worktrack } from '../src/index.js';

/** What a test is given. */
export interface WorktrackFixtures {
  /** Options of the server; replaced for a file or a `describe` where another world is wanted. */
  mockOptions: MockServerOptions;
  /** A server of the test's own. */
  mock: MockServer;
  /** A client of that server, with the first credential of its world. */
  client: Worktrack;
}

type Use<Value> = (value: Value) => Promise<void>;

/**
 * Fixtures for vitest's `test.extend`: each test has a server and a client of its own, so that all
 * can run at once. A server is made only where the test asks for it.
 *
 * @example
 * import { test as base } from 'vitest';
 * import { fixtures } from 'worktrack/testing';
 *
 * const test = base.extend(fixtures);
 * test('moves a ticket', async ({ mock, client }) => { … });
 */
export const fixtures = {
  mockOptions: {} as MockServerOptions,

  async mock({ mockOptions }: Pick<WorktrackFixtures, 'mockOptions'>, use: Use<MockServer>): Promise<void> {
    await use(createMockServer(mockOptions));
  },

  async client({ mock }: Pick<WorktrackFixtures, 'mock'>, use: Use<Worktrack>): Promise<void> {
    await use(new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch }));
  },
};
