import { type OperationId, operationOf } from '../../src/contract/index.js';
import { definitionOf } from '../../src/contract/zod-internals.js';
import { didYouMean } from '../../src/shared/did-you-mean.js';
import { isObject } from '../../src/shared/json.js';
import { escapeInvisible } from '../../src/shared/quote.js';
import { InvalidInputError, requireOperation } from '../state/invalid-input-error.js';
import { pathOf, type RecordedRequest, recordFields } from './entry.js';
import { createHar, type Har } from './har.js';
import { differences, type ExpectedRequest, isMatcher, show } from './match.js';

/**
 * A list of recorded requests, with methods to assert on them. To check the requests that a server in another
 * process received, get them with `GET /requests` and create a list from them.
 */
export class RequestList {
  readonly #received: readonly RecordedRequest[];

  constructor(received: readonly RecordedRequest[] = []) {
    this.#received = received;
  }

  /** Returns all requests, or only the latest `count` requests. */
  all(count = Number.POSITIVE_INFINITY): RecordedRequest[] {
    return this.#received.slice(Math.max(0, this.#received.length - count));
  }

  /**
   * Returns all requests for an operation.
   *
   * @throws TypeError if the operation is unknown
   */
  for<Id extends OperationId>(operation: Id): RecordedRequest<Id>[] {
    requireOperation('requests', operation);
    return this.all().filter((record) => record.operation === operation) as unknown as RecordedRequest<Id>[];
  }

  /**
   * Returns the matching requests for an operation.
   *
   * @throws TypeError if the operation or an expected field is unknown. To match a field that the operation
   * doesn't have, pass a function: `{ body: (body) => 'titel' in body }`.
   */
  matching<Id extends OperationId>(operation: Id, expected: ExpectedRequest<Id> = {}): RecordedRequest<Id>[] {
    const received = this.for(operation);
    requireKnownFields(operation, expected);
    return received.filter((record) => differences(expected, record).length === 0);
  }

  /**
   * Asserts that the server received a matching request for the operation.
   *
   * @returns the first matching request
   * @throws Error if no request matches; the message lists the closest requests and how they differ
   * @throws TypeError if the operation or an expected field is unknown
   */
  expect<Id extends OperationId>(operation: Id, expected: ExpectedRequest<Id> = {}): RecordedRequest<Id> {
    const [found] = this.matching(operation, expected);
    if (found) return found;
    throw new Error(this.describeMiss(operation, expected));
  }

  /**
   * Asserts that the server received no matching request for the operation.
   *
   * @throws Error if a request matches; the message lists all matching requests
   * @throws TypeError if the operation or an expected field is unknown
   */
  expectNone<Id extends OperationId>(operation: Id, expected: ExpectedRequest<Id> = {}): void {
    const found = this.matching(operation, expected);
    if (found.length > 0) {
      throw new Error(
        escapeInvisible(
          `Expected no ${operation} request${suffix(expected)}, but received ${found.length}:\n${found.map(summary).join('\n')}`,
        ),
      );
    }
  }

  /**
   * Asserts that every request matched an operation. Requests to another origin are included if they were
   * sent with `mock.fetch` or reported through `mock.mswOptions`.
   *
   * @throws Error if there are unhandled requests; the message lists them and suggests the right operations
   */
  expectNoUnhandled(): void {
    const found = this.all().filter(({ unhandled }) => unhandled !== undefined);
    if (found.length === 0) return;
    const lines = found.map((record) => `${summary(record)}\n    ${record.unhandled}`);
    throw new Error(
      escapeInvisible(`Expected no unhandled requests, but received ${found.length}:\n${lines.join('\n')}`),
    );
  }

  /**
   * Returns the requests as an HTTP Archive (HAR 1.2), without credentials. You can save it as a `.har` file
   * and open it in a browser's developer tools.
   *
   * @example
   * await writeFile('requests.har', JSON.stringify(mock.requests.toHar()));
   */
  toHar(): Har {
    return createHar(this.all(), []);
  }

  /** Returns the message to show if no request matches. Lists the closest requests and how they differ. */
  describeMiss<Id extends OperationId>(operation: Id, expected: ExpectedRequest<Id> = {}): string {
    const head = `Expected a ${operation} request${suffix(expected)}.`;
    const all = this.all();
    if (all.length === 0) return `${head}\nThe server received no requests.`;
    const received = this.for(operation);
    const nearest = received
      .map((record) => ({ record, differs: differences(expected, record) }))
      .sort((a, b) => a.differs.length - b.differs.length)
      .slice(0, 3)
      .map(({ record, differs }) => `${summary(record)}\n${differs.map((text) => `    ${text}`).join('\n')}`);
    if (nearest.length > 0) {
      return escapeInvisible(`${head}\nClosest of ${received.length} received:\n${nearest.join('\n')}`);
    }
    const { method } = operationOf(operation);
    // Even if the path has a typo, the method is usually right.
    const similar = all.filter((record) => record.method === method).slice(-5);
    const others = all.filter((record) => record.method !== method).slice(-5);
    const listed = [...similar, ...others].slice(0, 5).map(summary);
    const latest = `Latest of ${all.length} received:\n${listed.join('\n')}`;
    return escapeInvisible(`${head}\nThe operation was never called. ${latest}`);
  }
}

/**
 * Checks the names of the expected fields, because an expectation with a mistyped name would never match.
 *
 * @throws TypeError if a field is unknown
 */
function requireKnownFields(id: OperationId, expected: object): void {
  requireNames(expected, [...recordFields], '');
  const { params, query, body } = operationOf(id);
  for (const [name, schema] of Object.entries({ params, query, body })) {
    requireFields((expected as Record<string, unknown>)[name], schema, name);
  }
}

/** @param path the path of the expected value, such as `body.title` */
function requireFields(expected: unknown, schema: object | undefined, path: string): void {
  const { innerType, element, shape = {} } = (schema && definitionOf(schema)) ?? {};
  if (innerType) requireFields(expected, innerType, path);
  else if (Array.isArray(expected)) {
    for (const [index, item] of expected.entries()) requireFields(item, element, `${path}[${index}]`);
  } else if (isObject(expected) && !(expected instanceof RegExp || isMatcher(expected))) {
    requireNames(expected, Object.keys(shape), path);
    for (const [name, value] of Object.entries(expected))
      requireFields(value, shape[name], `${path}.${name}`);
  }
}

function requireNames(expected: object, names: readonly string[], path: string): void {
  const unknown = Object.keys(expected).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const prefix = path && `${path}.`;
  const hint = names.length > 0 ? didYouMean(unknown, names, prefix) : `"${path}" has no fields`;
  throw new InvalidInputError(`requests: unknown field ${JSON.stringify(prefix + unknown)}; ${hint}`);
}

type Summarized = Omit<RecordedRequest, 'operation' | 'params'> & { operation: string | undefined };

const summary = ({ id, operation, method, url, status, code, fault, credential }: Summarized): string =>
  `  ${id} ${operation ?? 'no operation'} (${method} ${pathOf(url)}) → ${status}` +
  `${code ? ` ${code}` : ''}${fault ? ` [${fault}]` : ''}${credential ? ` by ${credential}` : ''}`;

const suffix = (expected: object): string =>
  Object.keys(expected).length > 0 ? ` like ${show(expected)}` : '';
