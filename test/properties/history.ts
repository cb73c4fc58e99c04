import { endpoints } from '../contract/endpoints.js';
import type { Answer } from '../rules/support.js';
import type { ModelRequest } from './model/answer.js';
import type { Model } from './model/state.js';
import { expectAgreement } from './step.js';

/** A request that was answered, and when, by one clock for all that send. */
export interface Answered {
  request: ModelRequest;
  answer: Pick<Answer, 'status' | 'body' | 'data'>;
  sentAt: number;
  answeredAt: number;
}

/**
 * Looks for an order of the requests in which the model gives the same answers. A request that was
 * answered before another was sent comes before it.
 *
 * @returns the model after all of them; undefined where no order is legal
 */
export function legalOrder(model: Model, history: readonly Answered[]): Model | undefined {
  const numbered = history.map((answered, number) => ({ ...answered, number }));
  return search(model, numbered, new Set());
}

type Numbered = Answered & { number: number };

/** @param inVain requests left, and what there was then, from where no order led to the end */
function search(model: Model, left: readonly Numbered[], inVain: Set<string>): Model | undefined {
  if (left.length === 0) return model;
  // Many orders lead to the same place: what commutes is not tried in every order.
  const place = JSON.stringify([left.map(({ number }) => number), model], withMaps);
  if (inVain.has(place)) return undefined;
  const firstEnd = Math.min(...left.map(({ answeredAt }) => answeredAt));
  const candidates = left
    .filter(({ sentAt }) => sentAt <= firstEnd)
    .sort((a, b) => Number(changedNothing(b)) - Number(changedNothing(a)) || a.answeredAt - b.answeredAt);
  for (const candidate of candidates) {
    const next = structuredClone(model);
    try {
      expectAgreement(next, candidate.request, candidate.answer);
    } catch {
      continue;
    }
    const end = search(
      next,
      left.filter((other) => other !== candidate),
      inVain,
    );
    if (end) return end;
    // What changed nothing and can stand now stands in nobody's way.
    if (changedNothing(candidate)) break;
  }
  inVain.add(place);
  return undefined;
}

const changedNothing = ({ request, answer }: Answered): boolean =>
  answer.status >= 400 || endpoints[request.operation].method === 'GET';

const withMaps = (_: string, value: unknown) => (value instanceof Map ? [...value] : value);

/** A history as a person reads it, in order of the answers. */
export const inWords = (history: readonly Answered[]): string =>
  [...history]
    .sort((a, b) => a.answeredAt - b.answeredAt)
    .map(
      ({ request, answer, sentAt, answeredAt }) =>
        `${sentAt}–${answeredAt} ${JSON.stringify(request)} -> ${answer.status} ${answer.body?.code ?? ''}`,
    )
    .join('\n');
