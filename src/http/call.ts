import {
  type BodyOf,
  type OperationId,
  operationOf,
  type ParamsOf,
  type QueryOf,
  type ResultOf,
} from '../contract/index.js';
import { isWorktrackError } from '../errors/index.js';
import type { CallOptions } from '../options.js';
import { callSettings, type Settings } from '../settings.js';
import { attempt } from './attempt.js';
import { limit, wait } from './interrupt.js';
import { prepare } from './prepare.js';
import { redactor } from './redact.js';
import { waitBeforeRepeat } from './retry.js';
import { type CallState, interruption } from './state.js';

/** Carries out an operation: what every method of a resource hands its arguments to. */
export type Call = <Id extends OperationId>(
  operation: Id,
  input: CallInput<Id>,
  options?: CallOptions,
) => ApiPromise<ResultOf<Id>>;

/** The arguments of an operation; the organization in its path may come from the options. */
export interface CallInput<Id extends OperationId> {
  params?: Partial<ParamsOf<Id>> | undefined;
  query?: QueryOf<Id> | undefined;
  body?: BodyOf<Id> | undefined;
}

/** A promise of an operation's result, from which the answer as a whole can be had too. */
export interface ApiPromise<Result> extends Promise<Result> {
  /** The result with the answer's status, headers, request id and the number of attempts. */
  withResponse(): Promise<Answer<Result>>;
}

/** A result and the answer that it came in. */
export interface Answer<Result> {
  data: Result;
  status: number;
  headers: Headers;
  /** The request's id as the server gave it. */
  requestId: string | undefined;
  /** Attempts made, the first included. */
  attempts: number;
}

export function createCall(client: Settings): Call {
  return (id, input, options = {}) => {
    const answer = perform(client, id, input, options) as Promise<Answer<never>>;
    const result = answer.then(({ data }) => data);
    const withResponse = () => {
      // Whoever asks for the answer hears of its failure there, and need not look at the result.
      result.catch(() => {});
      return answer;
    };
    return Object.assign(result, { withResponse });
  };
}

async function perform<Id extends OperationId>(
  client: Settings,
  id: Id,
  input: CallInput<Id>,
  options: CallOptions,
): Promise<Answer<unknown>> {
  const settings = callSettings(client, options);
  const request = prepare(id, input, settings);
  const secrets = new Set<string>();
  const total = limit(settings.deadline, settings.signal);
  const endsAt = Date.now() + settings.deadline;
  const call: CallState = {
    id,
    operation: operationOf(id),
    settings,
    request,
    secrets,
    redact: redactor(secrets),
    total: total.signal,
    attempts: 0,
    standing: 'not_sent',
  };
  try {
    for (;;) {
      try {
        return await attempt(call);
      } catch (error) {
        if (!isWorktrackError(error)) throw error;
        call.standing = error.outcome;
        const pause = waitBeforeRepeat(call, error);
        if (pause === undefined || Date.now() + pause >= endsAt) throw error;
        await wait(pause, total.signal).catch((cause) => {
          throw interruption(call, { cause });
        });
      }
    }
  } finally {
    total.close();
  }
}
