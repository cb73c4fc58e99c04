import { ConfigurationError } from './errors/index.js';
import type { Hooks } from './hooks.js';
import type { HoldBack } from './http/hold-back.js';
import { kyTransport } from './http/ky-transport.js';
import { createQueue, type Queue } from './http/queue.js';
import type { TokenFlights } from './http/token.js';
import { type Logger, type LogLevel, logLevels } from './logger.js';
import type { CallOptions, ClientOptions, ListOptions, RetryOptions } from './options.js';
import { didYouMean } from './shared/did-you-mean.js';
import type { Transport } from './transport.js';
import { pathPrefix, type ReadingWire, readingWire } from './wire/index.js';

/** The options of a client, complete; each call adds its own. */
export interface Settings extends Omit<ListOptions, 'retry' | 'headers'> {
  /** With `/api/v1`, without a slash at the end. */
  baseUrl: string;
  timeout: number;
  deadline: number;
  retry: { [Name in keyof RetryOptions]-?: number };
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>;
  responseValidation: NonNullable<CallOptions['responseValidation']>;
  transport: Transport;
  wire: ReadingWire;
  hooks: readonly Hooks[];
  logger: Partial<Logger>;
  logLevel: LogLevel;
  logBodies: boolean;
  /** What the calls of a client have in common. */
  readonly shared: {
    /** What the policy `'warn'` has printed. */
    readonly warned: Set<string>;
    readonly held: HoldBack;
    readonly queue: Queue | undefined;
    readonly tokens: TokenFlights;
    /** The credential that was last seen to fit into its header. */
    carried?: string;
  };
}

/**
 * Reads the client's options and the environment.
 *
 * @throws ConfigurationError for an option that is unknown or cannot be
 */
export function clientSettings(options: ClientOptions): Settings {
  refuseUnfit(options, { ...callRules, ...clientRules });
  if (options.fetch && options.transport) {
    throw new ConfigurationError(
      'options "fetch" and "transport": give one of them, either sends the requests',
    );
  }
  return withOptions(
    {
      baseUrl: readBaseUrl(options.baseUrl || environment('BASE_URL'), options.allowPlainHttp),
      timeout: 30_000,
      deadline: 120_000,
      retry: { limit: 2, maxDelay: 8000, maxRetryAfter: 60_000 },
      headers: {},
      responseValidation: 'warn',
      token: environment('TOKEN'),
      organization: environment('ORGANIZATION'),
      transport: options.transport ?? kyTransport(options.fetch),
      wire: { ...readingWire, ...options.wire },
      hooks: [options.hooks ?? []].flat(),
      logger: options.logger ?? console,
      logLevel: options.logLevel ?? 'warn',
      logBodies: options.logBodies ?? false,
      shared: {
        warned: new Set(),
        held: { until: 0 },
        queue: options.budget && createQueue(options.budget),
        tokens: new WeakMap(),
      },
    },
    options,
  );
}

/**
 * The settings of one call.
 *
 * @throws ConfigurationError for an option that is unknown or cannot be
 */
export function callSettings(settings: Settings, options: ListOptions): Settings {
  refuseUnfit(options, rulesOfCall);
  return Object.keys(options).length ? withOptions(settings, options) : settings;
}

/** @throws ConfigurationError for an option of `bulk` that is unknown or cannot be */
export const checkBulkOptions = (options: object): void => refuseUnfit(options, bulkRules, '', 'bulk: ');

function withOptions(settings: Settings, { retry, headers, ...options }: ListOptions): Settings {
  const merged = { ...settings };
  for (const name of Object.keys(rulesOfCall) as 'prefetch'[]) {
    if (options[name] !== undefined) merged[name] = options[name];
  }
  if (retry !== undefined) {
    const given = typeof retry === 'number' ? { limit: retry } : retry;
    merged.retry = { ...settings.retry };
    for (const name of Object.keys(retryRules) as (keyof RetryOptions)[]) {
      merged.retry[name] = given[name] ?? merged.retry[name];
    }
  }
  if (headers) merged.headers = mergeHeaders(settings, headers);
  return merged;
}

function mergeHeaders({ headers, wire }: Settings, added: HeadersInit): Settings['headers'] {
  const merged = new Headers(headers);
  try {
    new Headers(added).forEach((value, name) => {
      merged.set(name, value);
    });
  } catch {
    // Without the cause: it quotes the value, which can be a credential in the wrong place.
    throw new ConfigurationError('headers: a name or a value is not allowed in HTTP');
  }
  if (merged.has(wire.credential.header)) {
    throw new ConfigurationError(`headers: "${wire.credential.header}" is set from the option "token" only`);
  }
  return Object.fromEntries(merged);
}

/** What a value must be; `fields` are those of an object, or of each object in it where it is a list of them. */
type Rule = [fits: (value: unknown) => boolean, expected: string, fields?: Rules, isList?: true];
type Rules = Record<string, Rule>;

const isFilled = (it: unknown) => typeof it === 'string' && it !== '';
const isCallable = (it: unknown) => typeof it === 'function';
const isObject = (it: unknown) => typeof it === 'object' && it !== null;
const isFrom = (least: number, it: unknown) => Number.isInteger(it) && (it as number) >= least;

const isText: Rule = [isFilled, 'text that is not empty'];
const isDuration: Rule = [(it) => typeof it === 'number' && it > 0, 'a number of milliseconds above 0'];
const isWait: Rule = [(it) => typeof it === 'number' && it >= 0, 'a number of milliseconds from 0'];
const isCount: Rule = [(it) => isFrom(0, it), 'an integer from 0'];
const isLimit: Rule = [(it) => isFrom(1, it), 'an integer from 1'];
const isFlag: Rule = [(it) => typeof it === 'boolean', 'true or false'];
const isFunction: Rule = [isCallable, 'a function'];
const isSignal: Rule = [(it) => it instanceof AbortSignal, 'an AbortSignal'];
const isRecord: Rule = [isObject, 'an object'];

const bulkRules: Rules = { concurrency: isLimit, signal: isSignal, onProgress: isFunction };
const budgetRules: Rules = { requestsPerMinute: isLimit, concurrency: isLimit };
const hookRules: Rules = { request: isFunction, response: isFunction, retry: isFunction, error: isFunction };
const wireRules: Rules = {
  credential: isRecord,
  envelope: isRecord,
  page: isRecord,
  error: isRecord,
  requestIdHeader: [
    (it) => isFilled(it) && /^[\w!#$%&'*+.^`|~-]+$/.test(it as string),
    'the name of a header',
  ],
};
const retryRules: Rules = { limit: isCount, maxDelay: isWait, maxRetryAfter: isWait };

const callRules: Rules = {
  timeout: isDuration,
  deadline: isDuration,
  retry: [
    (it) => isObject(it) || isFrom(0, it),
    'an integer from 0, or { limit, maxDelay, maxRetryAfter }',
    retryRules,
  ],
  organization: isText,
  token: [(it) => isFilled(it) || isCallable(it), 'text that is not empty, or a function'],
  headers: isRecord,
  responseValidation: [
    (it) => isCallable(it) || ['warn', 'throw', 'off'].includes(it as string),
    "'warn', 'throw', 'off' or a function",
  ],
  prefetch: isFlag,
};

// Marked pure, as below: whoever imports only errors does without these rules.
const rulesOfCall: Rules = /* @__PURE__ */ Object.assign({}, callRules, { signal: isSignal });

const clientRules: Rules = {
  baseUrl: [(it) => typeof it === 'string' || it instanceof URL, 'a URL'],
  fetch: isFunction,
  transport: isFunction,
  wire: [isObject, 'an object', wireRules],
  budget: [isObject, 'an object', budgetRules],
  hooks: [(it) => [it].flat().every(isObject), 'an object', hookRules, true],
  logger: isRecord,
  logLevel: [(it) => logLevels.includes(it as LogLevel), /* @__PURE__ */ logLevels.join(', ')],
  logBodies: isFlag,
  allowPlainHttp: isFlag,
};

/** A misspelt option would be ignored in silence; so would a value in the wrong unit or type. */
function refuseUnfit(options: object, rules: Rules, prefix = '', where = ''): void {
  if (!isObject(options)) throw new ConfigurationError(`${where}options must be an object`);
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (!rule) throw unknownName(`${where}unknown option`, name, Object.keys(rules), prefix);
    if (value === undefined) continue;
    const [isFit, expected, fields, isList] = rule;
    if (!isFit(value)) {
      throw new ConfigurationError(`${where}option "${prefix}${name}" must be ${expected}`);
    }
    for (const inner of isList ? [value].flat() : [value]) {
      if (fields && isObject(inner)) refuseUnfit(inner as object, fields, `${name}.`, where);
    }
  }
}

/** The error for a name that is none of these. */
export function unknownName(what: string, name: string, names: readonly string[], prefix = '') {
  return new ConfigurationError(`${what} "${prefix}${name}"; ${didYouMean(name, names, prefix)}`);
}

/** Names of this machine, and `.test`, which no network resolves (RFC 6761). */
const isOwnMachine = /^(localhost|127(\.\d+){3}|\[::1\]|.*\.(localhost|test))$/;

function readBaseUrl(given: string | URL | undefined, allowPlainHttp = false): string {
  if (!given) throw new ConfigurationError('baseUrl is missing: pass it, or set WORKTRACK_BASE_URL');
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    // Without the cause: it quotes the URL, which can hold a password.
    throw new ConfigurationError('baseUrl must be an absolute URL, such as https://work.example.com');
  }
  if (!/^https?:$/.test(url.protocol))
    throw new ConfigurationError('baseUrl must begin with https:// or http://');
  if (url.username || url.password || url.search || url.hash) {
    throw new ConfigurationError('baseUrl must have no user name, password, query or fragment');
  }
  if (url.protocol === 'http:' && !allowPlainHttp && !isOwnMachine.test(url.hostname)) {
    throw new ConfigurationError(
      'baseUrl: over plain http the token could be read on the way; use https, or set allowPlainHttp',
    );
  }
  const path = url.pathname.replace(/\/+$/, '');
  return url.origin + (path.endsWith(pathPrefix) ? path : path + pathPrefix);
}

/** @returns undefined where the variable is unset or empty, and where there is no environment */
function environment(name: string): string | undefined {
  try {
    return globalThis.process?.env?.[`WORKTRACK_${name}`] || undefined;
  } catch {
    // Deno without permission to read the environment.
    return undefined;
  }
}
