import type { ApiResponse } from '../rules/requests.js';
import { operations } from '../support/operations.js';
import type { ModelRequest } from './model/response.js';
import type { Model } from './model/state.js';
import { expectAgreement } from './step.js';

/** A request and its response, with timestamps. All senders use the same clock. */
export interface Exchange {
  request: ModelRequest;
  response: Pick<ApiResponse, 'status' | 'body' | 'data'>;
  sentAt: number;
  receivedAt: number;
}

/**
 * Searches for an order of the requests in which the model returns the same responses. A request that finished
 * before another was sent must come first.
 *
 * @returns The model after all requests, or `undefined` if no such order exists.
 */
export function legalOrder(model: Model, history: readonly Exchange[]): Model | undefined {
  const numbered = history.map((exchange, number) => ({ ...exchange, number }));
  return search(model, numbered, new Set());
}

type Numbered = Exchange & { number: number };

/** @param failed - Combinations of remaining requests and state that can't lead to a complete order. */
function search(model: Model, left: readonly Numbered[], failed: Set<string>): Model | undefined {
  if (left.length === 0) return model;
  // Search each state only once, because different orders of requests can lead to the same state.
  const searchState = JSON.stringify([left.map(({ number }) => number), model], withMaps);
  if (failed.has(searchState)) return undefined;
  const firstEnd = Math.min(...left.map(({ receivedAt }) => receivedAt));
  const candidates = left
    .filter(({ sentAt }) => sentAt <= firstEnd)
    .sort((a, b) => Number(changedNothing(b)) - Number(changedNothing(a)) || a.receivedAt - b.receivedAt);
  for (const candidate of candidates) {
    const next = structuredClone(model);
    try {
      expectAgreement(next, candidate.request, candidate.response);
    } catch {
      continue;
    }
    const end = search(
      next,
      left.filter((other) => other !== candidate),
      failed,
    );
    if (end) return end;
    // If a matching request has no side effects, it can always go first, so don't try the other candidates.
    if (changedNothing(candidate)) break;
  }
  failed.add(searchState);
  return undefined;
}

const changedNothing = ({ request, response }: Exchange): boolean =>
  response.status >= 400 || operations[request.operation].method === 'GET';

const withMaps = (_: string, value: unknown) => (value instanceof Map ? [...value] : value);

/** Lists the requests in the order their responses arrived. */
export const describeHistory = (history: readonly Exchange[]): string =>
  [...history]
    .sort((a, b) => a.receivedAt - b.receivedAt)
    .map(
      ({ request, response, sentAt, receivedAt }) =>
        `${sentAt}–${receivedAt} ${JSON.stringify(request)} -> ${response.status} ${response.body?.code ?? ''}`,
    )
    .join('\n');
