import type { ExpectedRequest, MockServer, RequestList } from '../mock-server/index.js';
import { scopes as allScopes, type OperationId, type Scope } from '../src/contract/index.js';
import { counted } from '../src/shared/count.js';
import { didYouMean } from '../src/shared/did-you-mean.js';

/**
 * The assertions that {@link matchers} adds to `expect`. `worktrack/testing/vitest`,
 * `worktrack/testing/jest`, and `worktrack/testing/playwright` declare them for their test runner.
 */
export interface WorktrackMatchers<Returned = unknown> {
  /**
   * Asserts that the server received a matching request. The failure message lists the closest requests.
   * Unknown field names cause a type error in TypeScript and a runtime error in JavaScript.
   */
  toHaveReceived<Id extends OperationId>(operation: Id, expected?: ExpectedRequest<Id>): Returned;
  /** Asserts that the server received exactly `times` matching requests. */
  toHaveReceivedTimes<Id extends OperationId>(
    operation: Id,
    times: number,
    expected?: ExpectedRequest<Id>,
  ): Returned;
  /** Asserts that the requests used exactly these scopes, not counting scopes that a credential lacked. */
  toHaveUsedScopes(scopes: readonly Scope[]): Returned;
  /**
   * Asserts that a workflow survived all runs of `exploreFaults`. The failure message shows the report. Not
   * available in Playwright.
   */
  toSurvive(): Returned;
}

/** The result of a matcher. */
export interface MatcherResult {
  pass: boolean;
  message(): string;
}

/** The mock server properties that the matchers use. */
export interface ReceivedRequests {
  requests: RequestList;
  scopes: Pick<MockServer['scopes'], 'used'>;
}

/** The properties of an `exploreFaults` report that the matchers use. */
export interface SurvivalReport {
  survived: boolean;
  failed: readonly object[];
}

/**
 * Matchers for `expect.extend` in Vitest, Jest, and runners with a compatible `expect`.
 *
 * @example
 * expect.extend(matchers);
 * expect(mock).toHaveReceived('tickets.move', { body: { board_id: 'brd_done' } });
 */
export const matchers = {
  toHaveReceived(
    mock: ReceivedRequests,
    operation: OperationId,
    expected: ExpectedRequest = {},
  ): MatcherResult {
    const { requests } = receivedBy(mock);
    const count = requests.matching(operation, expected).length;
    return {
      pass: count > 0,
      message: () =>
        count > 0
          ? failureOf(() => requests.expectNone(operation, expected))
          : requests.describeMiss(operation, expected),
    };
  },

  toHaveReceivedTimes(
    mock: ReceivedRequests,
    operation: OperationId,
    times: number,
    expected: ExpectedRequest = {},
  ): MatcherResult {
    const { requests } = receivedBy(mock);
    if (!Number.isSafeInteger(times) || times < 0) {
      throw new TypeError(
        `toHaveReceivedTimes: times must be a non-negative integer (got ${JSON.stringify(times)})`,
      );
    }
    const count = requests.matching(operation, expected).length;
    return {
      pass: count === times,
      message: () =>
        count === times
          ? `Expected the number of ${operation} requests not to be ${times}.`
          : `Expected ${counted(times, `${operation} request`)}, but received ${count}.${count === 0 ? `\n${requests.describeMiss(operation, expected)}` : ''}`,
    };
  },

  toHaveUsedScopes(mock: ReceivedRequests, scopes: readonly Scope[]): MatcherResult {
    const used = receivedBy(mock).scopes.used();
    const unknown = scopes.find((scope) => !allScopes.includes(scope));
    if (unknown !== undefined) {
      throw new TypeError(`toHaveUsedScopes: unknown scope "${unknown}"; ${didYouMean(unknown, allScopes)}`);
    }
    const missing = scopes.filter((scope) => !used.includes(scope));
    const extraScopes = used.filter((scope) => !scopes.includes(scope));
    const pass = missing.length === 0 && extraScopes.length === 0;
    return {
      pass,
      message: () =>
        pass
          ? `Expected the requests not to need exactly these scopes: ${list(scopes)}.`
          : `Expected the requests to need exactly these scopes: ${list(scopes)}; not needed: ${list(missing)}; also needed: ${list(extraScopes)}.`,
    };
  },

  toSurvive(report: SurvivalReport): MatcherResult {
    if (!Array.isArray(report?.failed)) {
      throw new TypeError('pass the report to expect(), as in expect(await exploreFaults(…)).toSurvive()');
    }
    return {
      pass: report.survived,
      message: () => (report.survived ? 'Expected the workflow not to survive. ' : '') + String(report),
    };
  },
};

/** @throws TypeError if the value isn't a mock server. TypeScript can't detect this, because `expect` accepts any value. */
function receivedBy(mock: ReceivedRequests): ReceivedRequests {
  if (!mock?.requests) throw new TypeError('pass the mock server to expect(), as in expect(mock)');
  return mock;
}

const list = (scopes: readonly string[]): string => scopes.join(', ') || 'none';

function failureOf(assert: () => void): string {
  try {
    assert();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}
