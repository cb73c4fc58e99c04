import { operationIds, operationOf } from '../contract/index.js';
import {
  AuthenticationError,
  ConfigurationError,
  isWorktrackError,
  type WorktrackError,
} from '../errors/index.js';
import type { CallOptions, ListOptions } from '../options.js';
import { callSettings, type Settings } from '../settings.js';
import { attempt } from './attempt.js';
import type { ApiResponse } from './call.js';
import { holdBack } from './hold-back.js';
import { Limit, wait } from './interrupt.js';
import { tell } from './observe.js';
import { redactor } from './redact.js';
import { waitBeforeRepeat } from './retry.js';
import { type CallState, orInterruption, type Plan } from './state.js';
import { renewToken } from './token.js';

/** Carries out a call: attempts, and the waits between them, within its limits of time. */
export async function perform(
  client: Settings,
  options: CallOptions,
  id: Plan['id'],
  plan: (settings: Settings) => Omit<Plan, 'id'>,
): Promise<ApiResponse<unknown>> {
  const settings = settingsOf(client, options, id);
  const { operation, request, read } = plan(settings);
  const secrets = new Set<string>();
  const total = new Limit(settings.deadline, settings.signal);
  const begunAt = Date.now();
  // Each field by its name: one that is added to a spread makes the engine treat the object as a table,
  // and what reads or writes it later takes several times as long.
  const call: CallState = {
    id,
    operation,
    request,
    read,
    settings,
    key: {},
    secrets,
    redact: redactor(secrets),
    total,
    endsAt: begunAt + settings.deadline,
    begunAt,
    attempts: 0,
    standing: 'not_sent',
    token: undefined,
    rejected: undefined,
  };
  try {
    for (;;) {
      try {
        return await attempt(call);
      } catch (error) {
        if (!isWorktrackError(error)) throw error;
        await beforeRepeat(call, error);
      }
    }
  } catch (error) {
    if (isWorktrackError(error)) tell(call, 'error', () => about(error, begunAt));
    throw error;
  } finally {
    total.close();
  }
}

/** Options that cannot be are refused in the name of the call that they were given to. */
function settingsOf(client: Settings, options: ListOptions, id: Plan['id']): Settings {
  // Looked for only where it is needed: most calls have no options.
  const findOperation = () => operationIds.find((known) => known === id);
  try {
    const settings = callSettings(client, options);
    if (options.prefetch !== undefined) {
      const operation = findOperation();
      if (!operation || !operationOf(operation).paginated)
        throw new ConfigurationError('option "prefetch" is for lists that come in pages');
    }
    return settings;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const operation = findOperation();
    throw new ConfigurationError(`${id}: ${error.message}`, { operation });
  }
}

/** @throws the error itself where the attempt is not to be repeated */
async function beforeRepeat(call: CallState, error: WorktrackError): Promise<void> {
  call.standing = error.outcome;
  holdBack(call, error);
  const renewed = error instanceof AuthenticationError && (await renewToken(call));
  const delayMs = renewed ? 0 : waitBeforeRepeat(call, error);
  if (delayMs === undefined || Date.now() + delayMs >= call.endsAt) throw error;
  tell(call, 'retry', () => ({ ...about(error, call.begunAt), delayMs }));
  await orInterruption(call, wait(delayMs, call.total));
}

const about = (error: WorktrackError, since: number) => ({
  error,
  status: (error as { status?: number }).status,
  requestId: error.requestId,
  durationMs: Date.now() - since,
});
