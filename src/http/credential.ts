import { ConfigurationError } from '../errors/index.js';
import { race } from '../shared/abort.js';
import { quote } from '../shared/quote.js';
import { encodeCredential } from '../wire/index.js';
import { callError, interruptionError } from './call-errors.js';
import type { CallState } from './call-state.js';
import type { TokenFunction } from './pending-tokens.js';

/** A token, and the value of the header that contains it. */
export interface Credential {
  readonly token: string;
  readonly header: string;
}

/**
 * Returns the credential for the next attempt.
 *
 * @throws ConfigurationError if the token is missing, the token function fails, or the token contains invalid
 * characters
 */
export async function getCredential(call: CallState): Promise<Credential> {
  const { token: option, wire, shared } = call.settings;
  const current =
    typeof option === 'function' ? await requestToken(call, option, call.rejectedToken) : option;
  // The server receives the token without surrounding whitespace, so the redactor must look for the trimmed
  // token.
  const token = requireToken(call, current).trim();
  call.token = token;
  call.redactor.add(token);
  const header = encodeCredential(wire.credential, token);
  if (shared.lastValidHeader !== header) {
    try {
      new Headers({ [wire.credential.header]: header });
    } catch {
      throw credentialError(call, 'the token contains invalid characters');
    }
    shared.lastValidHeader = header;
  }
  return { token, header };
}

/**
 * After a 401, requests a replacement for the rejected credential, at most once per call.
 *
 * @returns true if the replacement differs from the rejected credential, so the call can be retried
 */
export async function renewToken(call: CallState): Promise<boolean> {
  const { token, shared } = call.settings;
  if (typeof token !== 'function') return false;
  const rejected = call.token as string;
  shared.pendingTokens.forgetRejected(token, rejected);
  if (call.rejectedToken !== undefined) return false;
  call.rejectedToken = rejected;
  return requireToken(call, await requestToken(call, token, rejected)).trim() !== rejected;
}

/** @param rejected the token that the new one replaces */
async function requestToken(
  call: CallState,
  getToken: TokenFunction,
  rejected: string | undefined,
): Promise<unknown> {
  const { shared, timeout } = call.settings;
  const { callLimit } = call;
  try {
    return await race(shared.pendingTokens.request(getToken, rejected), callLimit);
  } catch (cause) {
    if (callLimit.aborted) {
      // After an abort, the token function may still be running, so other calls can use the token that it
      // returns.
      const timedOut = (callLimit.reason as Error | undefined)?.name === 'TimeoutError';
      shared.pendingTokens.forgetPending(getToken, rejected, timedOut ? 0 : timeout);
      throw interruptionError(call, { cause });
    }
    const reason = cause instanceof Error ? `: ${quote(call.redactor.redact(cause.message))}` : '';
    throw credentialError(call, `the token function failed${reason}`, cause);
  }
}

function requireToken(call: CallState, token: unknown): string {
  if (typeof token === 'string' && token.trim()) return token;
  throw credentialError(
    call,
    call.settings.token === undefined
      ? 'token is missing; pass it to the client or the call, or set WORKTRACK_TOKEN'
      : 'token must be a non-empty string',
  );
}

const credentialError = (call: CallState, message: string, cause?: unknown) =>
  callError(call, ConfigurationError, message, { outcome: call.outcomeSoFar, cause });
