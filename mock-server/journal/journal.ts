import type { OperationId } from '../../src/contract/index.js';
import { requireOperation } from '../options/require-operation.js';
import { type OpenRecord, type RecordedRequest, recordFields } from './entry.js';
import { differences, show } from './match.js';

/**
 * What a request should be like: any of its fields; objects may have more than is named here,
 * functions decide, regular expressions are tried on text.
 */
export type ExpectedRequest = { readonly [Field in keyof RecordedRequest]?: unknown };

/**
 * Every request that reached the server, in order of arrival.
 *
 * @example
 * expect(mock.requests.of('tickets.move')).toHaveLength(1);
 * mock.requests.expect('tickets.move', { body: { board_id: 'brd_done' }, status: 200 });
 */
export class Journal {
  readonly #limit: number;
  #records: OpenRecord[] = [];

  /** @param limit how many requests are kept at least; the oldest go first */
  constructor(limit: number) {
    this.#limit = limit;
  }

  all(): RecordedRequest[] {
    return [...this.#records];
  }

  /**
   * The requests of one operation.
   *
   * @throws TypeError for an unknown operation
   */
  of(operation: OperationId): RecordedRequest[] {
    requireOperation('requests', operation);
    return this.#records.filter((record) => record.operation === operation);
  }

  /**
   * The latest request, or the latest of an operation.
   *
   * @throws TypeError for an unknown operation
   */
  last(operation?: OperationId): RecordedRequest | undefined {
    if (operation !== undefined) requireOperation('requests', operation);
    return this.#records.findLast((record) => operation === undefined || record.operation === operation);
  }

  get length(): number {
    return this.#records.length;
  }

  /** The requests of an operation that are as expected. */
  matching(operation: OperationId, expected: ExpectedRequest = {}): RecordedRequest[] {
    const unknown = Object.keys(expected).find((field) => !recordFields.has(field));
    if (unknown !== undefined) {
      throw new TypeError(
        `requests: ${unknown} is no field of a request; there are: ${[...recordFields].join(', ')}`,
      );
    }
    return this.of(operation).filter((record) => differences(expected, record).length === 0);
  }

  /**
   * Asserts that the operation was called as expected.
   *
   * @returns the first such request
   * @throws Error that shows the requests that came nearest, and what sets them apart
   */
  expect(operation: OperationId, expected: ExpectedRequest = {}): RecordedRequest {
    const [found] = this.matching(operation, expected);
    if (found) return found;
    throw new Error(this.describeMiss(operation, expected));
  }

  /**
   * Asserts that the operation was not called so.
   *
   * @throws Error that shows the first request which was
   */
  expectNone(operation: OperationId, expected: ExpectedRequest = {}): void {
    const found = this.matching(operation, expected);
    if (found.length > 0) {
      throw new Error(
        `Expected no ${operation}${suffix(expected)}, but there were ${found.length}:\n${found.map(summary).join('\n')}`,
      );
    }
  }

  /** What to say where no request is as expected: the nearest misses. */
  describeMiss(operation: OperationId, expected: ExpectedRequest = {}): string {
    const head = `Expected a request ${operation}${suffix(expected)}.`;
    if (this.#records.length === 0) return `${head}\nThe server received no request.`;
    const nearest = this.of(operation)
      .map((record) => ({ record, differs: differences(expected, record) }))
      .sort((a, b) => a.differs.length - b.differs.length)
      .slice(0, 3)
      .map(({ record, differs }) => `${summary(record)}\n${differs.map((text) => `    ${text}`).join('\n')}`);
    if (nearest.length > 0)
      return `${head}\nThe nearest of ${this.of(operation).length}:\n${nearest.join('\n')}`;
    const others = this.#records.slice(-5).map(summary);
    return `${head}\nIt was never called. The last of ${this.#records.length} requests:\n${others.join('\n')}`;
  }

  clear(): void {
    this.#records = [];
  }

  /** @internal */
  add(record: OpenRecord): void {
    this.#records.push(record);
    // Cut in batches: shifting a long list once a request would cost more than the request.
    const { length } = this.#records;
    if (length >= this.#limit * 2) this.#records = this.#records.slice(length - this.#limit);
  }
}

const summary = ({ id, operation, method, url, status, code, fault, credential }: RecordedRequest): string =>
  `  ${id} ${operation ?? 'no operation'} (${method} ${new URL(url).pathname}) → ${status}` +
  `${code ? ` ${code}` : ''}${fault ? ` [${fault}]` : ''}${credential ? ` by ${credential}` : ''}`;

const suffix = (expected: ExpectedRequest): string =>
  Object.keys(expected).length > 0 ? ` like ${show(expected)}` : '';
