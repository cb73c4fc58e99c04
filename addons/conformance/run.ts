import * as z from 'zod/mini';
import { type OperationId, operationIds } from '../../src/contract/index.js';
import type { WireFormat } from '../../src/index.js';
import {
  abortSignal,
  boolean,
  checkOptions,
  defaultWire,
  duration,
  fn,
  isNonEmptyString,
  nonNegativeInteger,
  object,
  option,
  pathPrefix,
  positiveDuration,
  readBaseUrl,
  requiredOption,
  requiredSecretOption,
} from '../../src/internal.js';
import { type Basis, Mismatch, NotCheckable } from './expectations.js';
import { Harness, type HarnessOptions, type LimitedCredential } from './harness.js';
import { OwnRecords } from './own-records.js';
import { SharedRecords } from './records.js';
import type { Scenario } from './scenario.js';
import { scenarios } from './scenarios/index.js';
import { Sender } from './sender.js';

export interface ConformanceOptions {
  /** The deployment's URL, with or without `/api/v1`. */
  baseUrl: string;
  /**
   * Allows plain HTTP to hosts other than loopback and `.test`. Plain HTTP exposes the token to the network.
   *
   * @defaultValue false
   */
  allowPlainHttp?: boolean | undefined;
  /** A token for the deployment. Rules that require a scope the token lacks are reported as not checkable. */
  token: string;
  /** The token's organization. */
  organization: string;
  /** A second credential with fewer scopes. If omitted, the scope rules (403) can't be checked. */
  limitedCredential?: LimitedCredential | undefined;
  /**
   * Whether to also check optional rules. They cover behavior that the specification leaves open, so other
   * deployments may behave differently.
   *
   * @defaultValue false
   */
  includeOptional?: boolean | undefined;
  /** The operations to check. Defaults to all operations. */
  operations?: readonly OperationId[] | undefined;
  /**
   * The maximum number of requests to send. Rules that would exceed it are reported as not checkable. Cleanup
   * requests count toward the limit but are always sent.
   *
   * @defaultValue 1000
   */
  maxRequests?: number | undefined;
  /**
   * The maximum total time that a request waits after 429 responses, in milliseconds.
   *
   * @defaultValue 120,000
   */
  maxRateLimitWait?: number | undefined;
  /**
   * The timeout for each request, including its response body, in milliseconds.
   *
   * @defaultValue 30,000
   */
  timeout?: number | undefined;
  /**
   * The maximum size of a response body, in bytes.
   *
   * @defaultValue 100,000,000
   */
  maxResponseBytes?: number | undefined;
  /**
   * Stops the run when aborted. Requests in flight are aborted, but the records that were created are still
   * deleted. The report contains the rules that were checked up to that point.
   */
  signal?: AbortSignal | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch | undefined;
  /** In tests, replaces all delays, such as the one after a 429 response. */
  wait?: ((milliseconds: number) => Promise<void>) | undefined;
  /** Overrides wire format details for deployments that use a different format. */
  wire?: Partial<WireFormat> | undefined;
  /** Called with each result. */
  onResult?: ((result: ConformanceResult) => unknown) | undefined;
  /** Called after each request and its retries, with the final status and body. */
  onExchange?: ((request: string, status: number, body: string) => unknown) | undefined;
}

/** The result of checking a rule. */
export interface ConformanceResult {
  operation: OperationId;
  title: string;
  /** Whether the rule comes from the specification or is optional. */
  basis: Basis;
  outcome: 'pass' | 'fail' | 'not_checkable';
  /** Why the rule failed or couldn't be checked. */
  message?: string;
  /** The duration of the check, in milliseconds. */
  duration: number;
}

export interface ConformanceReport {
  baseUrl: string;
  passed: number;
  failed: number;
  notCheckable: number;
  /** The number of requests that were sent, including retries and cleanup. */
  requests: number;
  results: ConformanceResult[];
  /** The random text in the names, keys, and titles of the run's records. */
  mark: string;
  /**
   * A line for each project or document that couldn't be deleted, whose ID is unknown, or that was left because
   * it may have existed before the run.
   */
  undeletedRecords: string[];
}

/**
 * Checks a deployment against all API rules, one at a time. Creates projects and documents, most of them
 * named "Conformance" and a random mark, and deletes them afterward. Doesn't change or delete records that may
 * have existed before, notify any users, or follow redirects.
 *
 * @throws ConfigurationError if the base URL is invalid or uses plain HTTP without `allowPlainHttp`
 * @throws TypeError if an option is unknown or invalid, or if the deployment can't be reached
 * @throws Error if the deployment rejects the token
 * @example
 * const report = await runConformance({ baseUrl, token, organization });
 * console.log(formatText(report));
 */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const settings = harnessOptions(options, 'runConformance');
  const { operations, signal } = options;
  const { baseUrl, sender, includeOptional } = settings;
  const sharedHarness = new Harness(settings);
  const shared = new SharedRecords(sharedHarness);
  const results: ConformanceResult[] = [];
  const undeletedRecords: string[] = [];
  try {
    if (includeOptional) shared.missingInErrors = await missingInErrors(sharedHarness);
    for (const scenario of scenarios) {
      if (signal?.aborted) break;
      if (operations && !operations.includes(scenario.operation)) continue;
      if (scenario.basis === 'optional' && !includeOptional) continue;
      const harness = new Harness(settings, shared);
      try {
        const result = await check(scenario, harness, sender);
        results.push(result);
        await options.onResult?.(result);
      } finally {
        undeletedRecords.push(...(await harness.cleanUp()));
      }
    }
  } finally {
    undeletedRecords.push(...(await sharedHarness.cleanUp()));
  }
  const count = (outcome: ConformanceResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length;
  return {
    baseUrl,
    passed: count('pass'),
    failed: count('fail'),
    notCheckable: count('not_checkable'),
    requests: sender.requestCount,
    results,
    mark: settings.own.mark,
    undeletedRecords,
  };
}

/** Returns the parts missing from the deployment's errors, or an empty list if that can't be checked. */
async function missingInErrors(harness: Harness) {
  try {
    return harness.missingInError(await harness.createWithoutName());
  } catch (error) {
    if (error instanceof NotCheckable || error instanceof Mismatch) return [];
    throw error;
  }
}

/** Client options that a mock server's `clientOptions()` can include. */
const ignoredOptions = { responseValidation: z.optional(z.unknown()), defaultBoard: z.optional(z.unknown()) };

/** The option schemas. Omitting an option is a compile error. */
const schema = z.strictObject({
  baseUrl: requiredOption('a URL', isNonEmptyString),
  allowPlainHttp: boolean(),
  token: requiredSecretOption('a non-empty string', isNonEmptyString),
  organization: requiredOption('a non-empty string', isNonEmptyString),
  limitedCredential: object(),
  maxRequests: nonNegativeInteger(),
  maxRateLimitWait: duration(),
  timeout: positiveDuration(),
  maxResponseBytes: option('a positive number of bytes', (value) => typeof value === 'number' && value > 0),
  signal: abortSignal(),
  fetch: fn(),
  wait: fn(),
  ...ignoredOptions,
  includeOptional: boolean(),
  operations: option(
    'a list of operation IDs',
    (value) => Array.isArray(value) && value.every((id) => operationIds.includes(id)),
  ),
  wire: object(),
  onResult: fn(),
  onExchange: fn(),
} satisfies Record<keyof ConformanceOptions, z.ZodMiniType>);

/**
 * Validates a run's options and applies the defaults.
 *
 * @param caller the function to name in error messages
 */
export function harnessOptions(options: ConformanceOptions, caller: string): HarnessOptions {
  checkOptions(schema, options, { fail: (message) => new TypeError(`${caller}: ${message}`) });
  const { maxRequests = 1000, maxRateLimitWait = 120_000, timeout = 30_000 } = options;
  const { maxResponseBytes = 100_000_000, signal, fetch, includeOptional = false } = options;
  const { wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)) } = options;
  return {
    ...options,
    baseUrl: readBaseUrl(options.baseUrl, options.allowPlainHttp).slice(0, -pathPrefix.length),
    sender: new Sender({ fetch, wait, maxRequests, maxRateLimitWait, timeout, maxResponseBytes, signal }),
    own: new OwnRecords(),
    includeOptional,
    wire: { ...defaultWire, ...options.wire },
  };
}

async function check(
  { operation, title, basis, run }: Scenario,
  harness: Harness,
  sender: Sender,
): Promise<ConformanceResult> {
  const start = performance.now();
  const result = (
    outcome: ConformanceResult['outcome'],
    message?: string,
    actualBasis = basis,
  ): ConformanceResult => ({
    operation,
    title,
    basis: actualBasis,
    outcome,
    ...(message !== undefined && { message }),
    duration: Math.round(performance.now() - start),
  });
  try {
    await run(harness);
    return result('pass');
  } catch (error) {
    if (error instanceof NotCheckable) return result('not_checkable', error.message);
    if (error instanceof Mismatch) return result('fail', error.message, error.basis);
    // Scenarios don't validate responses, so unexpected data, such as null instead of a list, leads to a
    // TypeError.
    if (error instanceof TypeError && sender.hasResponded) {
      return result('fail', `unexpected response: ${error.message}`);
    }
    throw error;
  }
}
