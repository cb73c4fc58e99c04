import {
  type CredentialSeed,
  createMockServer,
  type MockServer,
  type MockServerOptions,
} from '../mock-server/index.js';
import { Worktrack } from '../src/index.js';

/** Creates a client for the same server with a different credential. */
export type ClientWith = (credential?: Partial<CredentialSeed>) => Worktrack;

/** Fixtures for Vitest tests. */
export interface WorktrackFixtures {
  /** Mock server options. Override them in a file or `describe` block that needs different seed data. */
  mockOptions: MockServerOptions;
  /** A mock server for this test only. */
  mock: MockServer;
  /** A client for that server, using the first credential in the seed data. */
  client: Worktrack;
  /**
   * Adds a credential and creates a client with it: `clientWith({ scopes: ['tickets:read'] })`. The
   * credential has every scope by default.
   */
  clientWith: ClientWith;
}

type Use<Value> = (value: Value) => Promise<void>;

/**
 * Fixtures for Vitest's `test.extend`. Each test gets its own server and client, so tests can run
 * concurrently. The server is created only if the test uses it.
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

  async clientWith({ mock }: Pick<WorktrackFixtures, 'mock'>, use: Use<ClientWith>): Promise<void> {
    await use((credential = {}) => {
      const { token } = mock.credentials.add(credential);
      return new Worktrack({ ...mock.clientOptions({ token }), fetch: mock.fetch });
    });
  },
};
