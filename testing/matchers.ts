import type { ExpectedRequest, MockServer } from '../mock-server/index.js';
import type { OperationId, Scope } from '../src/contract/index.js';

/** What `expect(mock)` can do with {@link matchers}: the interface to declare for vitest's or jest's `Matchers`. */
export interface WorktrackMatchers<Returned = unknown> {
  /** The server got such a request; a failure shows those that came nearest. */
  toHaveReceived(operation: OperationId, expected?: ExpectedRequest): Returned;
  /** The server got so many such requests. */
  toHaveReceivedTimes(times: number, operation: OperationId, expected?: ExpectedRequest): Returned;
  /** The requests needed these scopes, and no others. */
  toHaveUsedScopes(scopes: readonly Scope[]): Returned;
}

/** What a matcher of jest or vitest gives. */
interface MatcherResult {
  pass: boolean;
  message(): string;
}

/**
 * Matchers for `expect.extend`, in vitest and in jest.
 *
 * @example
 * expect.extend(matchers);
 * expect(mock).toHaveReceived('tickets.move', { body: { board_id: 'brd_done' } });
 */
export const matchers = {
  toHaveReceived(mock: MockServer, operation: OperationId, expected: ExpectedRequest = {}): MatcherResult {
    const count = mock.requests.matching(operation, expected).length;
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
    times: number,
    operation: OperationId,
    expected: ExpectedRequest = {},
  ): MatcherResult {
    const count = mock.requests.matching(operation, expected).length;
    return {
      pass: count === times,
      message: () =>
        count === times
          ? `Expected any number of requests ${operation} but ${times}.`
          : `Expected ${times} requests ${operation}, got ${count}.${count === 0 ? `\n${mock.requests.describeMiss(operation, expected)}` : ''}`,
    };
  },

  toHaveUsedScopes(mock: MockServer, scopes: readonly Scope[]): MatcherResult {
    const used = mock.scopes.used();
    const missing = scopes.filter((scope) => !used.includes(scope));
    const more = used.filter((scope) => !scopes.includes(scope));
    const pass = missing.length === 0 && more.length === 0;
    return {
      pass,
      message: () =>
        pass
          ? `Expected other scopes than ${list(scopes)} to be used.`
          : `Expected the scopes ${list(scopes)} to be used; not used: ${list(missing)}; used besides: ${list(more)}.`,
    };
  },
};

const list = (scopes: readonly string[]): string => scopes.join(', ') || 'none';

function failureOf(assert: () => void): string {
  try {
    assert();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}
