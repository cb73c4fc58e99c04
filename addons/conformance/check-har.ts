import {
  type AnySchema,
  describeFieldError,
  errorCodesOf,
  fieldsOf,
  type OperationId,
  operationIds,
  operationOf,
  validate,
} from '../../src/contract/index.js';
import {
  bodyField,
  decodeQuery,
  defaultWire,
  isObject,
  parseJson,
  pathPrefix,
  readBaseUrl,
} from '../../src/internal.js';
import type { Json } from './records.js';

/** The result of {@link checkHar}. */
export interface HarReport {
  /** The number of recorded requests. */
  entries: number;
  /** The number of requests per API operation. */
  operations: Partial<Record<OperationId, number>>;
  /** The number of requests that don't match an API operation, or that were sent to another origin. */
  ignored: number;
  /** The number of API requests whose response body wasn't recorded as text. */
  withoutBody: number;
  /** What contradicts the contract. */
  problems: HarFinding[];
  /** Fields and parameters that the contract doesn't mention. */
  notes: HarFinding[];
}

/** A difference between recorded traffic and the contract. */
export interface HarFinding {
  operation: OperationId;
  part: 'request' | 'response';
  /** A description of the difference. */
  message: string;
  /** The number of times that this was found. */
  count: number;
  /** The one-based position of the first such request in the recording. */
  firstEntry: number;
}

/**
 * Checks a deployment's recorded traffic against the contract without sending requests. Accepts HTTP Archives
 * (HAR) from browsers, proxies, and `mock.requests.toHar()`. Requests are checked only if the deployment accepted
 * them.
 *
 * @param har the content of the file, or the parsed object
 * @param options `baseUrl` is the deployment's URL. If set, requests to other origins are ignored.
 * @throws TypeError if the content isn't an HTTP Archive
 * @throws ConfigurationError if `baseUrl` is invalid
 *
 * @example
 * ```ts
 * const { problems } = checkHar(await readFile('traffic.har', 'utf8'));
 * for (const { operation, message, count } of problems) console.error(operation, message, count);
 * ```
 */
export function checkHar(har: unknown, { baseUrl }: { baseUrl?: string | undefined } = {}): HarReport {
  const origin = baseUrl === undefined ? undefined : new URL(readBaseUrl(baseUrl, true)).origin;
  const entries = entriesOf(har);
  const calls = entries.map((entry) => callOf(entry, origin));
  const operations: HarReport['operations'] = {};
  const findings = new Map<string, HarFinding & { isNote: boolean }>();
  for (const [index, call] of calls.entries()) {
    if (!call) continue;
    const { id } = call;
    operations[id] = (operations[id] ?? 0) + 1;
    for (const { part, message, isNote = false } of findingsIn(call)) {
      const key = `${id} ${part} ${message}`;
      const known = findings.get(key);
      if (known) known.count += 1;
      else findings.set(key, { operation: id, part, message, count: 1, firstEntry: index + 1, isNote });
    }
  }
  const listed = (wanted: boolean) =>
    [...findings.values()].flatMap(({ isNote, ...finding }) => (isNote === wanted ? [finding] : []));
  return {
    entries: entries.length,
    operations,
    ignored: calls.filter((call) => !call).length,
    withoutBody: calls.filter((call) => call && lacksBody(call)).length,
    problems: listed(false),
    notes: listed(true),
  };
}

/** All fields of an entry are optional, because recorders omit some. */
function entriesOf(har: unknown): Json[] {
  const reject = (problem: string): never => {
    throw new TypeError(`the recording isn't an HTTP Archive (HAR): ${problem}`);
  };
  const notJson = () => reject("it isn't valid JSON");
  const content = typeof har === 'string' ? parseJson(har.replace(/^\ufeff/, ''), notJson) : har;
  const log = isObject(content) ? content.log : undefined;
  const entries = isObject(log) ? log.entries : undefined;
  return Array.isArray(entries) ? entries.filter(isObject) : reject('it has no "log.entries"');
}

type Call = NonNullable<ReturnType<typeof callOf>>;

const patterns = operationIds.map((id) => {
  const { method, path } = operationOf(id);
  return { id, method, pattern: new RegExp(`${pathPrefix}${path.replace(/\{\w+\}/g, '[^/]+')}$`) };
});

/** Returns what was recorded about a request to an API operation. A body is undefined if it isn't text. */
function callOf({ request, response }: Json, origin: string | undefined) {
  const url = URL.canParse(`${request?.url}`) ? new URL(`${request?.url}`) : undefined;
  if (!url || (origin !== undefined && url.origin !== origin)) return undefined;
  const found = patterns.find(
    ({ method, pattern }) => method === request?.method && pattern.test(url.pathname),
  );
  if (!found) return undefined;
  const status = Number(response?.status) || 0;
  const [sent, received] = [textOf(request?.postData), textOf(response?.content)];
  const isAccepted = status >= 200 && status < 300;
  return { id: found.id, operation: operationOf(found.id), url, status, isAccepted, sent, received };
}

/** Returns a recorded body. Returns undefined if it wasn't recorded, or is binary, such as compressed data. */
function textOf(content: unknown): string | undefined {
  if (!isObject(content) || typeof content.text !== 'string') return undefined;
  if (content.encoding !== 'base64') return content.text;
  try {
    const bytes = Uint8Array.from(atob(content.text), (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const lacksBody = ({ operation, status, received }: Call): boolean =>
  status === 0 ||
  (status >= 300 && status < 400) ||
  (status === operation.status && operation.response !== undefined && received === undefined);

type Finding = Pick<HarFinding, 'part' | 'message'> & { isNote?: boolean };

function findingsIn({ operation, url, status, isAccepted, sent, received }: Call): Finding[] {
  const { query, body, response, paginated } = operation;
  const findings: Finding[] = [];
  if (isAccepted && query) findings.push(...compare('request', query, decodeQuery(url.searchParams, query)));
  if (isAccepted && body && sent !== undefined) {
    findings.push(...compare('request', body, sent === '' ? {} : parseJson(sent, () => undefined)));
  }
  // Any operation can fail with a 5xx.
  const isExpected = status >= 500 || status < 100 || errorCodesOf(operation, status).length > 0;
  const isRedirect = status >= 300 && status < 400;
  if (status !== operation.status && (isAccepted || !(isExpected || isRedirect))) {
    const message = `status ${status} is not in the contract (expected ${operation.status})`;
    findings.push({ part: 'response', message });
  } else if (isAccepted && response && received !== undefined) {
    const { envelope, page } = defaultWire;
    const content = parseJson(received, () => undefined);
    findings.push(...compare('response', response, (paginated ? page : envelope).decode(content)?.data));
  }
  return findings;
}

/** Compares a value with its schema. If several list items have the same error, reports it only once. */
function compare(part: Finding['part'], schema: AnySchema, value: unknown): Finding[] {
  if (value === undefined || value === null) return [{ part, message: 'contains no data' }];
  const result = validate(schema, value);
  const messages = Object.entries(result.ok ? {} : result.fieldErrors).flatMap(([field, errors]) => {
    const path = field.replace(/(^|\.)\d+(?=\.|$)/g, '$1*');
    return errors.map((message) => (path === bodyField ? message : describeFieldError(path, message)));
  });
  const known = fieldsOf(schema);
  const names = new Set([value].flat().flatMap((record) => (isObject(record) ? Object.keys(record) : [])));
  const additional = [...names].filter((name) => part === 'response' && !known.has(name));
  return [
    // The server may accept fields that aren't in the contract.
    ...[...new Set(messages)].map((message) => ({
      part,
      message,
      isNote: message.includes('unknown field'),
    })),
    ...additional.map((name) => ({ part, message: `additional field "${name}"`, isNote: true })),
  ];
}
