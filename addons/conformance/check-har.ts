import { JSONParser } from '@streamparser/json';
import {
  type AnySchema,
  describeFieldError,
  errorCodesOf,
  type FieldErrors,
  fieldsOf,
  type Operation,
  type OperationId,
  operationIds,
  operationOf,
  validate,
} from '../../src/contract/index.js';
import type { WireFormat } from '../../src/index.js';
import {
  bodyField,
  decodeQuery,
  defaultWire,
  isObject,
  parseJson,
  pathPrefix,
  readBaseUrl,
} from '../../src/internal.js';
import { bodyOf, type HarEntry, type HarMessage } from './har-body.js';

/** The result of {@link checkHar}. */
export interface HarReport {
  /** The number of recorded requests. */
  entries: number;
  /** The number of requests per API operation. */
  operations: Partial<Record<OperationId, number>>;
  /** The number of requests that don't match an API operation, or that were sent to another origin. */
  ignored: number;
  /** The number of API requests whose response or response body wasn't recorded. */
  withoutBody: number;
  /** The differences that violate the contract. */
  problems: HarFinding[];
  /** Fields, parameters, and paths that the contract doesn't mention. */
  notes: HarFinding[];
}

/** A difference between recorded traffic and the contract. */
export interface HarFinding {
  /** Undefined for requests to unknown API paths. */
  operation: OperationId | undefined;
  part: 'request' | 'response';
  /** A description of the difference. Contains no recorded values. */
  message: string;
  /** The number of requests with this finding. */
  count: number;
  /** The one-based position of the first such request in the recording. */
  firstEntry: number;
}

/** Options for {@link checkHar}. */
export interface CheckHarOptions {
  /**
   * The deployment's URL. Requests to other origins are ignored. @defaultValue all requests with `/api/v1` in
   * their path are checked, whichever server they were sent to
   */
  baseUrl?: string | undefined;
  /** The deployment's wire format. */
  wire?: Partial<WireFormat> | undefined;
}

/**
 * Checks a deployment's recorded traffic against the contract without sending requests. Accepts HTTP Archives
 * (HAR) from browsers, proxies, and `mock.requests.toHar()`.
 *
 * Parameters and bodies are checked only if the deployment returned a 2xx status. Recordings can have any size,
 * because requests are read one at a time.
 *
 * @param har the contents of the file, for example from `createReadStream`
 * @throws TypeError if the content isn't an HTTP Archive
 * @throws ConfigurationError if `baseUrl` is invalid
 *
 * @example
 * ```ts
 * const { problems } = await checkHar(createReadStream('traffic.har'));
 * for (const { operation, message, count } of problems) console.error(operation, message, count);
 * ```
 */
export async function checkHar(
  har: AsyncIterable<Uint8Array | string>,
  options: CheckHarOptions = {},
): Promise<HarReport> {
  const { baseUrl } = options;
  const origin = baseUrl === undefined ? undefined : new URL(readBaseUrl(baseUrl, true)).origin;
  const check = new HarCheck({ ...defaultWire, ...options.wire }, origin);
  for await (const entry of readEntries(har)) await check.add(entry);
  return check.report;
}

/** Reads the entries one by one, because a recording can be too large for a single string. */
async function* readEntries(har: AsyncIterable<Uint8Array | string>): AsyncGenerator<HarEntry> {
  const parser = new JSONParser({ paths: ['$.log.entries', '$.log.entries.*'], keepStack: false });
  let entries: unknown[] = [];
  let hasList = false;
  let isFinished = false;
  parser.onValue = ({ value, key, parent }) => {
    if (typeof key === 'number') {
      entries.push(value);
      // Remove the entry from the parser's list. Otherwise, all entries would stay in memory.
      (parent as unknown[])[key] = undefined;
    } else hasList = Array.isArray(value);
  };
  parser.onEnd = () => {
    isFinished = true;
  };
  const invalid = (problem: string, cause?: unknown) =>
    new TypeError(`the recording isn't an HTTP Archive (HAR): ${problem}`, { cause });
  for await (const chunk of har) {
    try {
      parser.write(chunk);
    } catch (error) {
      throw invalid(`it isn't valid JSON (${(error as Error).message.replace(/\.$/, '')})`, error);
    }
    yield* (entries as HarEntry[]).filter(isObject);
    entries = [];
  }
  if (!isFinished) throw invalid("it's incomplete");
  if (!hasList) throw invalid('it has no "log.entries"');
}

class HarCheck {
  readonly report: HarReport = {
    entries: 0,
    operations: {},
    ignored: 0,
    withoutBody: 0,
    problems: [],
    notes: [],
  };
  readonly #wire: WireFormat;
  readonly #origin: string | undefined;
  readonly #findings = new Map<string, HarFinding>();

  /** @param origin the only origin whose requests are checked */
  constructor(wire: WireFormat, origin: string | undefined) {
    this.#wire = wire;
    this.#origin = origin;
  }

  async add({ request, response }: HarEntry): Promise<void> {
    this.report.entries++;
    const url = URL.canParse(`${request?.url}`) ? new URL(`${request?.url}`) : undefined;
    const path = url && apiPath(url, this.#origin);
    const id = path && findOperation(`${request?.method}`, path);
    if (!url || path === undefined || !id) {
      this.report.ignored++;
      if (path !== undefined && request?.method !== 'OPTIONS') {
        this.#note(
          undefined,
          'request',
          `no operation has this method and path: ${request?.method} ${masked(path)}`,
        );
      }
      return;
    }
    this.report.operations[id] = (this.report.operations[id] ?? 0) + 1;
    const operation = operationOf(id);
    const status = Number(response?.status) || 0;
    const isSuccess = status >= 200 && status < 300;
    if (isSuccess) await this.#checkRequest(id, operation, url, request);
    if (status === 0 || (status >= 300 && status < 400)) this.report.withoutBody++;
    else if (status !== operation.status && (isSuccess || !isExpectedError(operation, status))) {
      this.#problem(id, 'response', `status ${status} is not in the contract (expected ${operation.status})`);
    } else if (isSuccess && operation.response) await this.#checkResponse(id, operation, response);
  }

  async #checkRequest(id: OperationId, { query, body }: Operation, url: URL, request: HarEntry['request']) {
    if (query) {
      const parameters = new URLSearchParams(url.search);
      const page = parameters.get(this.#wire.page.parameter);
      if (page !== null) parameters.set('page', page);
      const names = [...fieldsOf(query).keys(), this.#wire.page.parameter];
      for (const name of new Set(parameters.keys())) {
        if (!names.includes(name)) this.#note(id, 'request', `unknown parameter "${name}"`);
      }
      this.#validate(id, 'request', query, decodeQuery(parameters, query));
    }
    const text = body && (await bodyOf(request?.postData, request?.headers));
    if (!body || text === undefined) return;
    const payload = this.#parse(id, 'request', text || '{}');
    if (payload !== undefined) this.#validate(id, 'request', body, payload);
  }

  async #checkResponse(id: OperationId, operation: Operation, message: HarMessage | undefined) {
    const text = await bodyOf(message?.content, message?.headers);
    if (text === undefined) {
      this.report.withoutBody++;
      return;
    }
    const body = this.#parse(id, 'response', text);
    if (body === undefined) return;
    const { page, envelope } = this.#wire;
    const data = (operation.paginated ? page.decode(body) : envelope.decode(body))?.data ?? undefined;
    if (data === undefined) {
      this.#problem(id, 'response', operation.paginated ? 'contains no list' : 'contains no data');
      return;
    }
    const schema = operation.response as AnySchema;
    this.#validate(id, 'response', schema, data);
    const known = fieldsOf(schema);
    const names = new Set([data].flat().flatMap((record) => (isObject(record) ? Object.keys(record) : [])));
    for (const name of names) {
      if (!known.has(name)) this.#note(id, 'response', `additional field "${name}"`);
    }
  }

  #parse(id: OperationId, part: HarFinding['part'], text: string): unknown {
    return parseJson(text, () => this.#problem(id, part, "the body isn't valid JSON"));
  }

  #validate(id: OperationId, part: HarFinding['part'], schema: AnySchema, value: unknown): void {
    const result = validate(schema, value);
    if (!result.ok)
      for (const error of describe(result.fieldErrors)) {
        // The server may accept fields that aren't in the contract.
        if (error.includes('unknown field')) this.#note(id, part, error);
        else this.#problem(id, part, error);
      }
  }

  #problem(operation: OperationId, part: HarFinding['part'], message: string): void {
    this.#add(this.report.problems, { operation, part, message });
  }

  #note(operation: OperationId | undefined, part: HarFinding['part'], message: string): void {
    this.#add(this.report.notes, { operation, part, message });
  }

  /** Counts each finding only once per request. */
  #add(list: HarFinding[], finding: Omit<HarFinding, 'count' | 'firstEntry'>): void {
    const key = JSON.stringify([finding.operation, finding.part, finding.message]);
    const known = this.#findings.get(key);
    if (known) {
      known.count++;
      return;
    }
    const added = { ...finding, count: 1, firstEntry: this.report.entries };
    this.#findings.set(key, added);
    list.push(added);
  }
}

/** Returns the path after `/api/v1`. Returns undefined for other paths and other origins. */
function apiPath({ origin, pathname }: URL, onlyOrigin: string | undefined): string | undefined {
  if (onlyOrigin !== undefined && origin !== onlyOrigin) return undefined;
  const start = pathname.lastIndexOf(`${pathPrefix}/`);
  return start < 0 ? undefined : pathname.slice(start + pathPrefix.length);
}

const patterns = operationIds.map((id) => {
  const { method, path } = operationOf(id);
  return { id, method, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) };
});

const findOperation = (method: string, path: string): OperationId | undefined =>
  patterns.find((known) => known.method === method && known.pattern.test(path))?.id;

/** Masks the IDs in an unknown path. */
const masked = (path: string): string =>
  path
    .split('/')
    .map((segment) => (/^[a-z_-]*$/.test(segment) ? segment : '…'))
    .join('/');

/** Returns whether the operation can fail with this status. Any operation can fail with a 5xx. */
const isExpectedError = (operation: Operation, status: number): boolean =>
  status >= 500 || errorCodesOf(operation, status).length > 0;

/** Describes field errors. If several list items have the same error, describes it only once. */
const describe = (fieldErrors: FieldErrors): Set<string> =>
  new Set(
    Object.entries(fieldErrors).flatMap(([field, messages]) => {
      const path = field.replace(/(^|\.)\d+(?=\.|$)/g, '$1*');
      return messages.map((message) => (path === bodyField ? message : describeFieldError(path, message)));
    }),
  );
