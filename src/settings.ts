import { ConfigurationError } from './errors/index.js';
import type { Hooks } from './hooks.js';
import type { HoldBack } from './http/hold-back.js';
import { kyTransport } from './http/ky-transport.js';
import { createQueue, type Queue } from './http/queue.js';
import type { TokenFlights } from './http/token.js';
import type { Logger, LogLevel } from './logger.js';
import {
  bulkOptions,
  callOptionNames,
  callOptions,
  clientOptions,
  hookOptions,
  retryOptions,
} from './option-schemas.js';
import type { CallOptions, ClientOptions, ListOptions, RetryOptions } from './options.js';
import { didYouMean } from './shared/did-you-mean.js';
import { isObject, type OptionsSchema } from './shared/option-types.js';
import { checkOptions } from './shared/options.js';
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
 * @throws ConfigurationError if an option is unknown or invalid
 */
export function clientSettings(options: ClientOptions): Settings {
  check(clientOptions(), options);
  for (const hooks of [options.hooks ?? []].flat())
    checkOptions(hookOptions(), hooks, { prefix: 'hooks.', fail });
  if (options.fetch && options.transport) {
    throw fail('options "fetch" and "transport" are mutually exclusive: both send the requests');
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
 * @throws ConfigurationError if an option is unknown or invalid
 */
export function callSettings(settings: Settings, options: ListOptions): Settings {
  if (isObject(options) && !Object.keys(options).length) return settings;
  check(callOptions(), options);
  return withOptions(settings, options);
}

/** @throws ConfigurationError if an option of `bulk` is unknown or invalid */
export const checkBulkOptions = (options: object): void =>
  checkOptions(bulkOptions(), options, { fail: (message) => fail(`bulk: ${message}`) });

function withOptions(settings: Settings, { retry, headers, ...options }: ListOptions): Settings {
  const merged = { ...settings };
  for (const name of callOptionNames as readonly 'prefetch'[]) {
    if (options[name] !== undefined) merged[name] = options[name];
  }
  if (retry !== undefined) {
    const { limit, maxDelay, maxRetryAfter } = typeof retry === 'number' ? { limit: retry } : retry;
    const { retry: inherited } = settings;
    merged.retry = {
      limit: limit ?? inherited.limit,
      maxDelay: maxDelay ?? inherited.maxDelay,
      maxRetryAfter: maxRetryAfter ?? inherited.maxRetryAfter,
    };
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

function check(schema: OptionsSchema, options: ListOptions): void {
  checkOptions(schema, options, { fail });
  if (isObject(options.retry)) checkOptions(retryOptions(), options.retry, { prefix: 'retry.', fail });
}

const fail = (message: string) => new ConfigurationError(message);

/** The error for an unknown name. */
export const unknownName = (what: string, name: string, names: readonly string[]): ConfigurationError =>
  fail(`${what} "${name}"; ${didYouMean(name, names)}`);

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
