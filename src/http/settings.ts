import type { OperationId } from '../contract/index.js';
import { ConfigurationError, type RateLimitError } from '../errors/index.js';
import type { Hooks } from '../hooks.js';
import { type Logger, type LogLevel, logLevels } from '../logger.js';
import type { CallOptions, ClientOptions, ListOptions, RetryOptions } from '../options.js';
import { definedFields } from '../shared/defined-fields.js';
import { RecentSecrets } from '../shared/redact.js';
import { VERSION } from '../version.js';
import { type ClientWireFormat, clientWire, pathPrefix } from '../wire/index.js';
import { checkCallOptions, checkClientOptions } from './check-options.js';
import { KeyedCalls } from './keyed-calls.js';
import { PendingTokens } from './pending-tokens.js';
import { RequestQueue } from './request-queue.js';

/** The client's options with defaults applied. Each call merges its own options into a copy. */
export interface Settings extends Omit<ListOptions, 'retry' | 'headers'> {
  /** Ends in `/api/v1`, without a trailing slash. */
  baseUrl: string;
  timeout: number;
  totalTimeout: number;
  maxResponseBytes: number;
  retry: { [Name in keyof RetryOptions]-?: number };
  /** Names are lowercase. */
  headers: Readonly<Record<string, string>>;
  responseValidation: NonNullable<CallOptions['responseValidation']>;
  /** Undefined for the global `fetch`. */
  fetch: typeof globalThis.fetch | undefined;
  wire: ClientWireFormat;
  hooks: readonly Hooks[];
  logger: Partial<Logger>;
  logLevel: LogLevel;
  logBodies: boolean;
  defaultBoard: boolean;
  readonly shared: SharedState;
}

/** State shared by all of a client's calls. */
export interface SharedState {
  /** The mismatches already logged. */
  readonly warned: Set<string>;
  /**
   * Rate-limit pauses by credential. The key doesn't include the origin, because all of a client's calls have
   * the same origin.
   */
  readonly pauses: Map<string, RateLimitPause>;
  readonly queue: RequestQueue | undefined;
  readonly inFlight: CallsInFlight;
  readonly keyedCalls: KeyedCalls;
  readonly pendingTokens: PendingTokens;
  /** The credentials used by the client's calls. */
  readonly secrets: RecentSecrets;
  /** The most recent value of the credential header that passed validation. */
  lastValidHeader?: string;
}

/** The calls that haven't finished, and the functions to call when all of them have finished. */
export interface CallsInFlight {
  count: number;
  onIdle: (() => void)[];
}

/** A pause after a 429 with `Retry-After`. */
export interface RateLimitPause {
  readonly until: number;
  /** The error that caused the pause. */
  readonly error: RateLimitError;
}

/**
 * Resolves the client's options and environment variables.
 *
 * @throws ConfigurationError if an option is unknown or invalid
 */
export function resolveClientSettings(options: ClientOptions): Settings {
  checkClientOptions(options);
  const { baseUrl, allowPlainHttp, fetch, wire, throttle, ...others } = options;
  const { hooks, logger, logLevel, logBodies, defaultBoard, ...callOptions } = others;
  const defaults: Settings = {
    baseUrl: readBaseUrl(baseUrl || readEnvironment('BASE_URL'), allowPlainHttp),
    timeout: 30_000,
    totalTimeout: 120_000,
    maxResponseBytes: 100_000_000,
    retry: { limit: 2, maxDelay: 8000, maxRetryAfter: 60_000 },
    headers: canSetUserAgent() ? { 'user-agent': `worktrack/${VERSION}` } : {},
    responseValidation: 'warn',
    token: readEnvironment('TOKEN'),
    organization: readEnvironment('ORGANIZATION'),
    fetch,
    wire: { ...clientWire, ...wire },
    hooks: [hooks ?? []].flat(),
    logger: logger ?? console,
    logLevel: logLevel ?? readChoice('LOG_LEVEL', logLevels, 'warn'),
    logBodies: logBodies ?? false,
    defaultBoard: defaultBoard ?? readChoice('DEFAULT_BOARD', ['true', 'false'], 'false') === 'true',
    shared: {
      warned: new Set(),
      pauses: new Map(),
      keyedCalls: new KeyedCalls(),
      queue: throttle && new RequestQueue(throttle),
      inFlight: { count: 0, onIdle: [] },
      pendingTokens: new PendingTokens(),
      secrets: new RecentSecrets(),
    },
  };
  return mergeOptions(defaults, callOptions);
}

/**
 * Merges a call's options into the client's settings.
 *
 * @throws ConfigurationError if an option is unknown or invalid, or if a non-paginated call uses `prefetch`
 */
export function resolveCallSettings(
  client: Settings,
  options: ListOptions,
  operation: { id: string; paginated: boolean; isRaw?: true },
): Settings {
  if (!Object.keys(options).length) return client;
  try {
    checkCallOptions(options);
    if (options.prefetch !== undefined && !operation.paginated) {
      throw new ConfigurationError('option "prefetch" is only for paginated lists');
    }
    return mergeOptions(client, options);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ConfigurationError(`${operation.id}: ${error.message}`, {
      operation: operation.isRaw ? undefined : (operation.id as OperationId),
    });
  }
}

/**
 * Merges a derived client's options into the settings it inherits.
 *
 * @throws ConfigurationError if an option is unknown or invalid
 */
export function deriveSettings(settings: Settings, options: ListOptions): Settings {
  checkCallOptions(options);
  return mergeOptions(settings, options);
}

/** Reads an environment variable that must have one of the given values. */
function readChoice<Choice extends string>(
  name: string,
  choices: readonly Choice[],
  fallback: Choice,
): Choice {
  const value = readEnvironment(name) ?? fallback;
  const choice = choices.find((other) => other === value);
  if (choice !== undefined) return choice;
  throw new ConfigurationError(`WORKTRACK_${name} must be one of: ${choices.join(', ')} (got "${value}")`);
}

/**
 * Browsers either ignore a custom `user-agent` header or send a preflight request for it. Their user agents
 * all start with `Mozilla/`.
 */
const canSetUserAgent = () => !globalThis.navigator?.userAgent?.startsWith('Mozilla/');

/** @param options validated call options */
function mergeOptions(settings: Settings, { retry, headers, ...options }: ListOptions): Settings {
  const merged: Settings = { ...settings, ...definedFields(options) };
  if (retry !== undefined) {
    const changes = typeof retry === 'number' ? { limit: retry } : retry;
    merged.retry = { ...settings.retry, ...definedFields(changes) };
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
    // The cause is omitted because it quotes the value, which may be a misplaced credential.
    throw new ConfigurationError('headers: invalid name or value');
  }
  const reserved = [...merged.keys()].find((name) => connectionHeaders.test(name));
  if (reserved) throw new ConfigurationError(`headers: "${reserved}" is set by fetch`);
  if (merged.has(wire.credential.header)) {
    throw new ConfigurationError(`headers: "${wire.credential.header}" is set by option "token"`);
  }
  return Object.fromEntries(merged);
}

/** Headers that describe the connection or the body length. */
const connectionHeaders =
  /^(connection|content-length|expect|keep-alive|te|trailer|transfer-encoding|upgrade)$/;

/** Matches loopback hosts and `.test` hosts, which never resolve on the internet (RFC 6761). */
const localHost = /^(localhost|127(\.\d+){3}|\[::1\]|.*\.(localhost|test))$/;

/**
 * Validates the base URL.
 *
 * @returns the URL, ending in `/api/v1`
 */
export function readBaseUrl(baseUrl: string | URL | undefined, allowPlainHttp = false): string {
  if (!baseUrl) throw new ConfigurationError('baseUrl is missing; pass it or set WORKTRACK_BASE_URL');
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    // The cause is omitted because it quotes the URL, which may contain a password.
    throw new ConfigurationError('baseUrl must be an absolute URL, such as https://work.example.com');
  }
  if (!['https:', 'http:'].includes(url.protocol)) {
    throw new ConfigurationError('baseUrl must start with https:// or http://');
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new ConfigurationError('baseUrl must not contain credentials, a query, or a fragment');
  }
  if (url.protocol === 'http:' && !allowPlainHttp && !localHost.test(url.hostname)) {
    throw new ConfigurationError('baseUrl: plain http exposes the token; use https, or set allowPlainHttp');
  }
  const path = url.pathname.replace(/\/+$/, '');
  return url.origin + (path.endsWith(pathPrefix) ? path : path + pathPrefix);
}

/**
 * Reads the `WORKTRACK_<name>` environment variable. Returns undefined if it's unset or empty, or if the
 * platform has no environment variables.
 */
function readEnvironment(name: string): string | undefined {
  try {
    return globalThis.process?.env?.[`WORKTRACK_${name}`] || undefined;
  } catch {
    // Deno throws an error if the process isn't allowed to read environment variables.
    return undefined;
  }
}
