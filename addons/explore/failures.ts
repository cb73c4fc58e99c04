import type { Fault } from '../../mock-server/index.js';
import type { OperationId } from '../../src/contract/index.js';
import { type InterferenceKind, interferenceKinds } from './interference.js';

/** A request that the workflow sent. */
export interface ExploredRequest {
  /** The request's zero-based index in the run. */
  index: number;
  operation: OperationId;
  /** The number of earlier requests in the run for the same operation. */
  nth: number;
}

/**
 * How a request fails:
 * - `connection`: the connection closes before the request is processed
 * - `response_lost`: the connection closes after the request is processed
 * - `status_408`, `status_500`, `status_503`: the server responds with this status
 * - `rate_limited`: the server responds with 429 and `Retry-After`
 * - `truncated`: the connection closes in the middle of the response body
 * - `malformed`: the response body isn't valid JSON
 * - `slow`: the server takes ten minutes, which is longer than the client's default timeouts
 * - `revoked`: the server responds with 401 to this and all later requests
 * - `scope_removed`: the server responds with 403 to this and all later requests for the operation
 * - `crash_before`, `crash_after`: the workflow's process crashes before or after the request is processed,
 * and the workflow starts over
 */
export type FaultKind = (typeof faultKinds)[number];

export const faultKinds = [
  'connection',
  'response_lost',
  'status_408',
  'rate_limited',
  'status_500',
  'status_503',
  'truncated',
  'malformed',
  'slow',
  'revoked',
  'scope_removed',
  'crash_before',
  'crash_after',
] as const;

export type FailureKind = FaultKind | InterferenceKind;

export const failureKinds: readonly FailureKind[] = [...faultKinds, ...interferenceKinds];

/** A failure in a run. */
export interface Failure {
  kind: FailureKind;
  /** The request that fails, or after which another user makes a change. */
  request: ExploredRequest;
}

/** The server fault that causes each kind of failure. */
export const effects: { [Kind in FailureKind]?: Fault } = {
  connection: { error: 'connection' },
  response_lost: { error: 'response_lost' },
  status_408: { status: 408 },
  rate_limited: { status: 429, retryAfter: 1 },
  status_500: { status: 500 },
  status_503: { status: 503 },
  truncated: { error: 'truncated' },
  malformed: { error: 'malformed' },
  slow: { latency: 600_000 },
  revoked: { status: 401 },
  scope_removed: { status: 403 },
};

export function affects({ kind, request }: Failure, later: ExploredRequest): boolean {
  if (kind === 'revoked') return later.index > request.index;
  return kind === 'scope_removed' && later.operation === request.operation && later.nth > request.nth;
}

/**
 * Returns the ID of a run's failures, for example `status_500:tickets.list:2`. It's the same in every
 * exploration of the workflow.
 */
export const idOf = (failures: readonly Failure[]): string =>
  failures.map(({ kind, request: { operation, nth } }) => `${kind}:${operation}:${nth + 1}`).join('+');

/** Returns the fault that reproduces a failure, or undefined if a fault can't reproduce it. */
function faultOf({ kind, request: { operation, nth, index } }: Failure): Fault | undefined {
  const effect = effects[kind];
  if (!effect) return undefined;
  if (kind === 'revoked') return { after: index, ...effect };
  return { operation, after: nth, ...(kind === 'scope_removed' ? {} : { times: 1 }), ...effect };
}

/** Returns code that reproduces the failures. */
export function reproductionOf(failures: readonly Failure[]): string {
  const faults = failures.map(faultOf);
  if (faults.includes(undefined)) {
    return `await exploreFaults(mock, workflow, { check, replay: '${idOf(failures)}' });`;
  }
  // Add the last failure first, because a fault doesn't count the requests to which a previously added fault
  // is applied.
  return faults
    .reverse()
    .map((fault) => `mock.faults.add(${literal(fault as Fault)});`)
    .join('\n');
}

const literal = (value: object): string =>
  `{ ${Object.entries(value)
    .map(([name, field]) => `${name}: ${typeof field === 'string' ? `'${field}'` : field}`)
    .join(', ')} }`;
