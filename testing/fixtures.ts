import {
  type CredentialSeed,
  createMockServer,
  type MockServer,
  type MockServerOptions,
} from '../mock-server/index.js';
import { Worktrack } from '../src/index.js';

/** Creates a client for the same server with a different credential. */
export type ClientWith = (credential?: Partial<CredentialSeed>) => Worktrack;

/** The fixtures that a test needs to call the API. */
export interface WorktrackFixtures {
  /**
   * A mock server for this test only. Unlike with `createMockServer`, the `unhandled` option defaults to
   * `'error'`. The test fails if a request doesn't match any operation, even if the code under test ignores
   * the error.
   */
  mock: MockServer;
  /** A client for the mock server, using the first credential in the seed data. */
  client: Worktrack;
  /**
   * Adds a credential and creates a client with it: `clientWith({ scopes: ['tickets:read'] })`. The
   * credential has every scope by default.
   */
  clientWith: ClientWith;
}

type Use<Value> = (value: Value) => Promise<void>;

/**
 * Fixtures for Vitest's `test.extend`. `worktrack/testing/vitest` exports a `test` function that includes
 * them. Each test gets its own server and client, so tests can run concurrently. The server is created only
 * if the test uses it.
 *
 * @example
 * import { test as base } from 'vitest';
 * import { fixtures } from 'worktrack/testing/node';
 *
 * const test = base.extend(fixtures);
 * test('moves a ticket', async ({ mock, client }) => { … });
 */
export const fixtures = {
  /**
   * Mock server options. To change them for a file or a `describe` block, call `test.override`, or
   * `test.scoped` in Vitest versions before 4.1.
   */
  mockOptions: {} as MockServerOptions,

  async mock({ mockOptions }: { mockOptions: MockServerOptions }, use: Use<MockServer>): Promise<void> {
    await useMock(mockOptions, use);
  },

  async client({ mock }: Pick<WorktrackFixtures, 'mock'>, use: Use<Worktrack>): Promise<void> {
    await use(clientOf(mock));
  },

  async clientWith({ mock }: Pick<WorktrackFixtures, 'mock'>, use: Use<ClientWith>): Promise<void> {
    await use(clientWithOf(mock));
  },
};

/**
 * Adds the fixtures to a test function. Use it in test runners that don't support fixtures, such as Jest and
 * `node:test`. Other arguments, such as the rows of `test.each`, come after the fixtures.
 *
 * @example
 * test('moves a ticket', withFixtures(async ({ mock, client }) => { … }));
 * test('a full board', withFixtures({ world }, async ({ client }) => { … }));
 */
export function withFixtures<Arguments extends unknown[]>(
  body: TestBody<Arguments>,
): (...args: Arguments) => Promise<void>;
export function withFixtures<Arguments extends unknown[]>(
  options: MockServerOptions,
  body: TestBody<Arguments>,
): (...args: Arguments) => Promise<void>;
export function withFixtures<Arguments extends unknown[]>(
  first: MockServerOptions | TestBody<Arguments>,
  second?: TestBody<Arguments>,
): (...args: Arguments) => Promise<void> {
  const [options, body] = typeof first === 'function' ? [{}, first] : [first, second as TestBody<Arguments>];
  if (typeof body !== 'function')
    throw new TypeError('withFixtures: pass the test function as the last argument');
  return (...args) =>
    useMock(options, async (mock) => {
      await body({ mock, client: clientOf(mock), clientWith: clientWithOf(mock) }, ...args);
    });
}

type TestBody<Arguments extends unknown[]> = (fixtures: WorktrackFixtures, ...args: Arguments) => unknown;

/** @throws Error after the test if a request didn't match any operation */
async function useMock(options: MockServerOptions, use: Use<MockServer>): Promise<void> {
  warnAboutDeployment();
  const mock = createMockServer({ unhandled: 'error', ...options });
  await use(mock);
  if (options.unhandled !== 'respond') mock.requests.expectNoUnhandled();
}

const clientOf = (mock: MockServer, token?: string): Worktrack =>
  new Worktrack({ ...mock.clientOptions(token === undefined ? {} : { token }), fetch: mock.fetch });

const clientWithOf =
  (mock: MockServer): ClientWith =>
  (credential = {}) =>
    clientOf(mock, mock.credentials.add(credential).token);

let isChecked = false;

/** Prints a warning if a client created without `baseUrl` would call a deployment. */
function warnAboutDeployment(): void {
  const url = globalThis.process?.env?.WORKTRACK_BASE_URL;
  if (!isChecked && url?.startsWith('https:')) {
    console.warn(
      `[worktrack] WORKTRACK_BASE_URL is ${url}. If the code under test creates a client without "baseUrl", ` +
        'the client calls this server instead of the mock server. Unset the variable before you run the tests.',
    );
  }
  isChecked = true;
}
