import { AuthenticationError, isApiError, isWorktrackError, type WorktrackError } from '../errors/index.js';
import type { CallOptions } from '../options.js';
import { callSettings, type Settings } from '../settings.js';
import { attempt } from './attempt.js';
import type { Answer } from './call.js';
import { holdBack } from './hold-back.js';
import { limit, wait } from './interrupt.js';
import { tell } from './observe.js';
import { redactor } from './redact.js';
import { waitBeforeRepeat } from './retry.js';
import { type CallState, interruption, type Plan } from './state.js';
import { renewToken } from './token.js';

/** Carries out a call: attempts, and the waits between them, within its limits of time. */
export async function perform(
  client: Settings,
  options: CallOptions,
  plan: (settings: Settings) => Plan,
): Promise<Answer<unknown>> {
  const settings = callSettings(client, options);
  const planned = plan(settings);
  const secrets = new Set<string>();
  const total = limit(settings.deadline, settings.signal);
  const begunAt = Date.now();
  const call: CallState = {
    ...planned,
    settings,
    key: {},
    secrets,
    redact: redactor(secrets),
    total: total.signal,
    endsAt: begunAt + settings.deadline,
    begunAt,
    attempts: 0,
    standing: 'not_sent',
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
    if (isWorktrackError(error)) tell(call, 'error', about(error, begunAt));
    throw error;
  } finally {
    total.close();
  }
}

/** @throws the error itself where the attempt is not to be repeated */
async function beforeRepeat(call: CallState, error: WorktrackError): Promise<void> {
  call.standing = error.outcome;
  holdBack(call, error);
  const renewed = error instanceof AuthenticationError && (await renewToken(call));
  const delayMs = renewed ? 0 : waitBeforeRepeat(call, error);
  if (delayMs === undefined || Date.now() + delayMs >= call.endsAt) throw error;
  tell(call, 'retry', { ...about(error, call.begunAt), delayMs });
  await wait(delayMs, call.total).catch((cause) => {
    throw interruption(call, { cause });
  });
}

const about = (error: WorktrackError, since: number) => ({
  error,
  status: isApiError(error) ? error.status : (error as { status?: number }).status,
  requestId: error.requestId,
  durationMs: Date.now() - since,
});
