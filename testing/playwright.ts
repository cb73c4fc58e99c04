import { Worktrack } from '../src/index.js';
import type { ClientWith } from './fixtures.js';
import { type PlaywrightSpace, SpaceHost, type SpaceOptions } from './space-host.js';

/** The fixtures that a Playwright test can use. */
export interface PlaywrightFixtures {
  /** Options of the test's space, such as its seed data. Set them with `test.use({ mockOptions: { world } })`. */
  mockOptions: SpaceOptions;
  /** The test's own space of the mock server. If the test fails, the requests that it received are attached. */
  space: PlaywrightSpace;
  /** The space's base URL, for the page under test. */
  baseUrl: string;
  /** A client of the space, with the first credential of its seed data. */
  client: Worktrack;
  /** Adds a credential to the space, with every scope by default, and creates a client with it. */
  clientWith(...credential: Parameters<ClientWith>): Promise<Worktrack>;
}

/** The fixtures that all tests of a Playwright worker share. */
export interface PlaywrightWorkerFixtures {
  /**
   * The URL of a mock server that is already running. Defaults to the environment variable
   * `WORKTRACK_BASE_URL`. Without either, each worker starts its own mock server.
   */
  mockServerUrl: string | undefined;
  /** The mock server that hosts the spaces of the tests. */
  spaceHost: SpaceHost;
}

type Use<Value> = (value: Value) => Promise<void>;

/** The part of Playwright's `TestInfo` that the fixtures need. */
interface TestInfo {
  readonly testId: string;
  readonly retry: number;
  readonly status?: string;
  readonly expectedStatus: string;
  attach(name: string, options: { body: string; contentType: string }): Promise<void>;
}

/**
 * Fixtures for `test.extend` of `@playwright/test`: each test has its own space on a mock server that the
 * worker starts once.
 *
 * @example
 * import { test as base } from '@playwright/test';
 * import { playwrightFixtures } from 'worktrack/testing';
 *
 * export const test = base.extend(playwrightFixtures);
 * test('shows the tickets', async ({ page, baseUrl, client }) => { … });
 */
// Playwright determines the dependencies of a fixture from the names that its first parameter destructures.
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
    // The token belongs to a mock server, which may run in another container.
    allowPlainHttp: true,
  });
