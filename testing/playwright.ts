import { Worktrack } from '../src/index.js';
import type { ClientWith } from './fixtures.js';
import { type PlaywrightSpace, SpaceHost, type SpaceOptions } from './space-host.js';

/** Fixtures for Playwright tests. */
export interface PlaywrightFixtures {
  /**
   * Options for the test's space, such as its seed data. Set them with
   * `test.use({ mockOptions: { world } })`.
   */
  mockOptions: SpaceOptions;
  /**
   * A space on the mock server for this test only. If the test fails, the space's requests are attached to
   * the report.
   */
  space: PlaywrightSpace;
  /** The space's base URL, for the page under test. */
  baseUrl: string;
  /** A client for the space, using the first credential in the seed data. */
  client: Worktrack;
  /**
   * Adds a credential to the space and creates a client with it. The credential has every scope by default.
   */
  clientWith(...credential: Parameters<ClientWith>): Promise<Worktrack>;
}

/** Fixtures shared by all tests in a Playwright worker. */
export interface PlaywrightWorkerFixtures {
  /**
   * The URL of a running mock server. Defaults to the `WORKTRACK_BASE_URL` environment variable. If neither
   * is set, each worker starts its own mock server.
   */
  mockServerUrl: string | undefined;
  /** The mock server that hosts the tests' spaces. */
  spaceHost: SpaceHost;
}

type Use<Value> = (value: Value) => Promise<void>;

/** The properties of Playwright's `TestInfo` that the fixtures use. */
interface TestInfo {
  readonly testId: string;
  readonly retry: number;
  readonly status?: string;
  readonly expectedStatus: string;
  attach(name: string, options: { body: string; contentType: string }): Promise<void>;
}

/**
 * Fixtures for Playwright's `test.extend`. Each test gets its own space on a mock server shared by the
 * worker's tests.
 *
 * @example
 * import { test as base } from '@playwright/test';
 * import { playwrightFixtures } from 'worktrack/testing';
 *
 * export const test = base.extend(playwrightFixtures);
 * test('shows the tickets', async ({ page, baseUrl, client }) => { … });
 */
// Playwright determines a fixture's dependencies from the names destructured in its first parameter.
export const playwrightFixtures = {
  mockServerUrl: [undefined as string | undefined, { scope: 'worker', option: true }] as [
    string | undefined,
    { scope: 'worker'; option: true },
  ],

  spaceHost: [
    async (
      { mockServerUrl }: Pick<PlaywrightWorkerFixtures, 'mockServerUrl'>,
      use: Use<SpaceHost>,
    ): Promise<void> => {
      const host = await SpaceHost.open(mockServerUrl);
      try {
        await use(host);
      } finally {
        await host.close();
      }
    },
    { scope: 'worker' },
  ] as [
    (fixtures: Pick<PlaywrightWorkerFixtures, 'mockServerUrl'>, use: Use<SpaceHost>) => Promise<void>,
    { scope: 'worker' },
  ],

  mockOptions: [{}, { option: true }] as [SpaceOptions, { option: true }],

  async space(
    {
      spaceHost,
      mockOptions,
    }: Pick<PlaywrightWorkerFixtures & PlaywrightFixtures, 'spaceHost' | 'mockOptions'>,
    use: Use<PlaywrightSpace>,
    testInfo: TestInfo,
  ): Promise<void> {
    const space = await spaceHost.create(`${testInfo.testId}-${testInfo.retry}`, mockOptions);
    try {
      await use(space);
      if (testInfo.status !== testInfo.expectedStatus) await attachJournal(space, testInfo);
    } finally {
      await spaceHost.delete(space);
    }
  },

  async baseUrl({ space }: Pick<PlaywrightFixtures, 'space'>, use: Use<string>): Promise<void> {
    await use(space.baseUrl);
  },

  async client({ space }: Pick<PlaywrightFixtures, 'space'>, use: Use<Worktrack>): Promise<void> {
    await use(clientOf(space, space.token));
  },

  async clientWith(
    { space }: Pick<PlaywrightFixtures, 'space'>,
    use: Use<PlaywrightFixtures['clientWith']>,
  ): Promise<void> {
    await use(async (credential = {}) => {
      const { token } = await space.admin<{ token: string }>('POST /credentials', credential);
      return clientOf(space, token);
    });
  },
};

async function attachJournal(space: PlaywrightSpace, testInfo: TestInfo): Promise<void> {
  const body = JSON.stringify(await space.admin('GET /requests'), undefined, 2);
  await testInfo.attach('worktrack-requests.json', { body, contentType: 'application/json' });
}

const clientOf = ({ baseUrl, organization }: PlaywrightSpace, token: string): Worktrack =>
  new Worktrack({
    baseUrl,
    token,
    organization,
    responseValidation: 'throw',
    // The token is valid only for a mock server, which may run in another container.
    allowPlainHttp: true,
  });
