import type { OperationId } from '../src/contract/index.js';
import { defaultWire, pathPrefix, type Wire } from '../src/wire/index.js';
import { Lab } from './lab.js';
import { Mismatch, NotCheckable } from './outcome.js';
import type { Scenario } from './scenario.js';
import { scenarios } from './scenarios/index.js';

export interface ConformanceOptions {
  /** The deployment's address, with or without `/api/v1`. */
  baseUrl: string;
  /** A credential of it; rules that need scopes which it lacks are reported as not checkable. */
  token: string;
  /** The organization that the credential belongs to. */
  organization: string;
  /** Whether to check, beside what the specification says, what this package chose where it is silent. */
  choices?: boolean | undefined;
  /** Only the rules of these operations. */
  operations?: readonly OperationId[] | undefined;
  /** Replaces the platform's `fetch`. */
  fetch?: typeof fetch | undefined;
  /** What the deployment does differently on the wire. */
  wire?: Partial<Wire> | undefined;
  /** Called with each result as it is found. */
  onResult?: ((result: ConformanceResult) => void) | undefined;
  /** Called with each request and the text of its answer. */
  onExchange?: ((request: string, status: number, body: string) => void) | undefined;
}

/** What became of one rule. */
export interface ConformanceResult {
  operation: OperationId;
  title: string;
  basis: Scenario['basis'];
  outcome: 'pass' | 'fail' | 'not_checkable';
  /** Why it failed or could not be checked. */
  message?: string;
  /** Milliseconds. */
  duration: number;
}

export interface ConformanceReport {
  baseUrl: string;
  passed: number;
  failed: number;
  notCheckable: number;
  results: ConformanceResult[];
}

/**
 * Tries every rule of the API against a deployment, one after another. It makes projects and
 * documents of its own, named "Conformance", and deletes them; it notifies nobody.
 *
 * @throws TypeError where the deployment cannot be reached at all
 * @example
 * const report = await runConformance({ baseUrl, token, organization });
 * console.log(formatText(report));
 */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const { choices = false, operations, wire, fetch = globalThis.fetch, onResult, onExchange } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, '').replace(new RegExp(`${pathPrefix}$`), '');
  const { token, organization } = options;
  const results: ConformanceResult[] = [];
  for (const scenario of scenarios) {
    if (operations && !operations.includes(scenario.operation)) continue;
    if (scenario.basis === 'choice' && !choices) continue;
    const lab = new Lab({
      baseUrl,
      token,
      organization,
      fetch,
      choices,
      onExchange,
      wire: { ...defaultWire, ...wire },
    });
    const result = await tryOut(scenario, lab);
    results.push(result);
    onResult?.(result);
  }
  const count = (outcome: ConformanceResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length;
  return {
    baseUrl,
    passed: count('pass'),
    failed: count('fail'),
    notCheckable: count('not_checkable'),
    results,
  };
}

async function tryOut({ operation, title, basis, run }: Scenario, lab: Lab): Promise<ConformanceResult> {
  const began = performance.now();
  const result = (outcome: ConformanceResult['outcome'], message?: string): ConformanceResult => ({
    operation,
    title,
    basis,
    outcome,
    ...(message !== undefined && { message }),
    duration: Math.round(performance.now() - began),
  });
  try {
    await run(lab);
    return result('pass');
  } catch (error) {
    if (error instanceof NotCheckable) return result('not_checkable', error.message);
    if (error instanceof Mismatch) return result('fail', error.message);
    // A record without a field that the scenario reads fails the rule, not the run.
    if (error instanceof TypeError && !isNetworkError(error)) return result('fail', error.message);
    throw error;
  } finally {
    await lab.clear();
  }
}

const isNetworkError = (error: TypeError): boolean =>
  error.cause !== undefined || /fetch|network/i.test(error.message);
