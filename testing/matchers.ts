import type { ExpectedRequest, MockServer } from '../mock-server/index.js';
import type { OperationId, Scope } from '../src/contract/index.js';
import type { ExplorationReport } from './explore/report.js';

/**
 * The assertions that {@link matchers} adds to `expect`. To declare them, extend the `Matchers`
 * interface of Vitest or Jest.
 */
export interface WorktrackMatchers<Returned = unknown> {
  /** Asserts that the server received a matching request. The failure message lists the closest requests. */
  toHaveReceived(operation: OperationId, expected?: ExpectedRequest): Returned;
  /** Asserts that the server received exactly `times` matching requests. */
  toHaveReceivedTimes(operation: OperationId, times: number, expected?: ExpectedRequest): Returned;
  /** Asserts that the requests needed exactly these scopes. */
  toHaveUsedScopes(scopes: readonly Scope[]): Returned;
  /** Asserts that a workflow survived all runs of `exploreFaults`. The failure message shows the report. */
  toSurvive(): Returned;
}

/** The result of a Jest or Vitest matcher. */
interface MatcherResult {
  pass: boolean;
  message(): string;
}

/**
 * Matchers for `expect.extend` in Vitest and Jest.
 *
 * @example
 * expect.extend(matchers);
 * expect(mock).toHaveReceived('tickets.move', { body: { board_id: 'brd_done' } });
 */
export const matchers = {
  toHaveReceived(mock: MockServer, operation: OperationId, expected: ExpectedRequest = {}): MatcherResult {
    const count = journalOf(mock).matching(operation, expected).length;
    return {
      pass: count > 0,
      message: () =>
        count > 0
          ? failureOf(() => mock.requests.expectNone(operation, expected))
          : mock.requests.describeMiss(operation, expected),
    };
  },

  toHaveReceivedTimes(
    mock: MockServer,
    operation: OperationId,
    times: number,
    expected: ExpectedRequest = {},
  ): MatcherResult {
    const count = journalOf(mock).matching(operation, expected).length;
    return {
      pass: count === times,
      message: () =>
        count === times
          ? `Expected the number of ${operation} requests not to be ${times}.`
          : `Expected ${times} ${operation} requests, but received ${count}.${count === 0 ? `\n${mock.requests.describeMiss(operation, expected)}` : ''}`,
    };
  },

  toHaveUsedScopes(mock: MockServer, scopes: readonly Scope[]): MatcherResult {
    journalOf(mock);
    const used = mock.scopes.used();
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

  toSurvive(report: ExplorationReport): MatcherResult {
    if (!Array.isArray(report?.failed)) {
      throw new TypeError('pass the report to expect(), as in expect(await exploreFaults(…)).toSurvive()');
    }
    return {
      pass: report.survived,
      message: () => (report.survived ? 'Expected the workflow not to survive. ' : '') + String(report),
    };
  },
};

/** @throws TypeError if the value isn't a mock server, because `expect` accepts any value */
function journalOf(mock: MockServer): MockServer['requests'] {
  if (!mock?.requests) throw new TypeError('pass the mock server to expect(), as in expect(mock)');
  return mock.requests;
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
