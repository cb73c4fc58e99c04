import { test as base, expect as baseExpect } from '@playwright/test';
import {
  type ExpectedRequest,
  type MockServerOptions,
  type RecordedRequest,
  RequestList,
} from '../mock-server/index.js';
import type { OperationId, Scope } from '../src/contract/index.js';
import { Worktrack } from '../src/index.js';
import type { ClientWith } from './fixtures.js';
import { type MatcherResult, matchers, type ReceivedRequests, type WorktrackMatchers } from './matchers.js';
import { type PlaywrightSpace, SpaceHost, type SpaceOptions } from './space-host.js';

export type { ClientWith, PlaywrightSpace, SpaceHost, SpaceOptions, WorktrackMatchers };

declare global {
  namespace PlaywrightTest {
    interface Matchers<R, T> extends Omit<WorktrackMatchers<Promise<void>>, 'toSurvive'> {}
  }
}

/** Fixtures for Playwright tests. */
export interface PlaywrightFixtures {
  /**
   * Options for the test's space, such as its seed data. Set them with
   * `test.use({ mockOptions: { world } })`. The test fails if a request doesn't match any operation, unless
   * you set `unhandled` to `'respond'`.
   */
  mockOptions: SpaceOptions & Pick<MockServerOptions, 'unhandled'>;
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

/** The fixtures that another fixture needs. */
type Needs<Name extends keyof (PlaywrightFixtures & PlaywrightWorkerFixtures)> = Pick<
  PlaywrightFixtures & PlaywrightWorkerFixtures,
  Name
>;

type Use<Value> = (value: Value) => Promise<void>;

/** The properties of Playwright's `TestInfo` that the fixtures use. */
interface TestInfo {
  readonly testId: string;
  readonly retry: number;
  readonly status?: string;
  readonly expectedStatus: string;
  attach(name: string, options: { body: string; contentType: string }): Promise<void>;
}

// Playwright finds a fixture's dependencies by parsing the destructured first parameter.
export const playwrightFixtures = {
  mockServerUrl: [undefined as string | undefined, { scope: 'worker', option: true }] as [
    string | undefined,
    { scope: 'worker'; option: true },
  ],

  spaceHost: [
    async ({ mockServerUrl }: Needs<'mockServerUrl'>, use: Use<SpaceHost>): Promise<void> => {
      const host = await SpaceHost.open(mockServerUrl);
      try {
        await use(host);
      } finally {
        await host.close();
      }
    },
    { scope: 'worker' },
  ] as [(fixtures: Needs<'mockServerUrl'>, use: Use<SpaceHost>) => Promise<void>, { scope: 'worker' }],

  mockOptions: [{}, { option: true }] as [PlaywrightFixtures['mockOptions'], { option: true }],

  async space(
    { spaceHost, mockOptions }: Needs<'spaceHost' | 'mockOptions'>,
    use: Use<PlaywrightSpace>,
    testInfo: TestInfo,
  ): Promise<void> {
    const { unhandled, ...options } = mockOptions;
    const space = await spaceHost.create(`${testInfo.testId}-${testInfo.retry}`, options);
    try {
      await use(space);
      const hasFailed = testInfo.status !== testInfo.expectedStatus;
      if (!hasFailed && unhandled === 'respond') return;
      const { requests } = await receivedBy(space);
      const mustFail = unhandled !== 'respond' && requests.all().some((request) => request.unhandled);
      if (mustFail || hasFailed) await attachJournal(requests, testInfo);
      if (mustFail) requests.expectNoUnhandled();
    } finally {
      await spaceHost.delete(space);
    }
  },

  async baseUrl({ space }: Needs<'space'>, use: Use<string>): Promise<void> {
    await use(space.baseUrl);
  },

  async client({ space }: Needs<'space'>, use: Use<Worktrack>): Promise<void> {
    await use(clientOf(space, space.token));
  },

  async clientWith({ space }: Needs<'space'>, use: Use<PlaywrightFixtures['clientWith']>): Promise<void> {
    await use(async (credential = {}) => {
      const { token } = await space.admin<{ token: string }>('POST /credentials', credential);
      return clientOf(space, token);
    });
  },
};

/**
 * Playwright's `test` with the `space`, `baseUrl`, `client`, and `clientWith` fixtures. Each test gets its
 * own space on a mock server shared by the worker's tests.
 *
 * @example
 * test('shows the tickets', async ({ page, baseUrl, client }) => { … });
 */
export const test = base.extend<PlaywrightFixtures, PlaywrightWorkerFixtures>(playwrightFixtures);

/**
 * Playwright's `expect` with this package's matchers. Like the assertions on pages, they wait until the
 * condition is met.
 *
 * @example
 * await expect(space).toHaveReceived('tickets.move', { body: { board_id: 'brd_done' } });
 */
export const expect = baseExpect.extend({
  toHaveReceived(space: PlaywrightSpace, operation: OperationId, expected?: ExpectedRequest) {
    return eventually(this, space, (received) => matchers.toHaveReceived(received, operation, expected));
  },

  toHaveReceivedTimes(
    space: PlaywrightSpace,
    operation: OperationId,
    times: number,
    expected?: ExpectedRequest,
  ) {
    return eventually(this, space, (received) =>
      matchers.toHaveReceivedTimes(received, operation, times, expected),
    );
  },

  toHaveUsedScopes(space: PlaywrightSpace, scopes: readonly Scope[]) {
    return eventually(this, space, (received) => matchers.toHaveUsedScopes(received, scopes));
  },
}) as typeof baseExpect;

/** Retries an assertion until it succeeds or the timeout expires. */
async function eventually(
  { isNot, timeout }: { isNot: boolean; timeout: number },
  space: PlaywrightSpace,
  match: (received: ReceivedRequests) => MatcherResult,
): Promise<MatcherResult> {
  if (typeof space?.admin !== 'function') {
    throw new TypeError('pass the space to expect(), as in expect(space)');
  }
  const deadline = Date.now() + timeout;
  for (let wait = 20; ; wait = Math.min(wait * 2, 500)) {
    const result = match(await receivedBy(space));
    if (result.pass !== isNot || Date.now() >= deadline) return result;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/** Reads the requests that a space has received so far. */
async function receivedBy(space: PlaywrightSpace): Promise<ReceivedRequests> {
  const [records, scopes] = await Promise.all([
    space.admin<RecordedRequest[]>('GET /requests'),
    space.admin<{ used: Scope[] }>('GET /scopes'),
  ]);
  return { requests: new RequestList(records), scopes: { used: () => scopes.used } };
}

async function attachJournal(requests: RequestList, testInfo: TestInfo): Promise<void> {
  const body = JSON.stringify(requests.all(), undefined, 2);
  await testInfo.attach('worktrack-requests.json', { body, contentType: 'application/json' });
}

const clientOf = (
  { baseUrl, organization, responseValidation, defaultBoard }: PlaywrightSpace,
  token: string,
): Worktrack =>
  new Worktrack({
    baseUrl,
    token,
    organization,
    responseValidation,
    defaultBoard,
    // Plain HTTP is safe here, because the token is valid only for a mock server, which may run in another
    // container.
    allowPlainHttp: true,
  });
