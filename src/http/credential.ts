import { ConfigurationError } from '../errors/index.js';
import { quote } from '../shared/quote.js';
import { encodeCredential } from '../wire/index.js';
import { callError, interruptionError } from './call-errors.js';
import type { CallState } from './call-state.js';
import type { TokenFunction } from './pending-tokens.js';
import { race } from './time-limit.js';

/**
 * Returns the value of the credential header.
 *
 * @throws ConfigurationError if the token is missing, the token function fails, or the token contains invalid
 * characters
 */
export async function credentialOf(call: CallState): Promise<string> {
  const { token, wire, shared } = call.settings;
  const current = typeof token === 'function' ? await requestToken(call, token) : token;
  // The server receives the token without surrounding whitespace, so redaction must look for it in that form.
  call.token = requireToken(call, current).trim();
  call.redactor.add(call.token);
  const value = encodeCredential(wire.credential, call.token);
  if (shared.lastValidCredential !== value) {
    try {
      new Headers({ [wire.credential.header]: value });
    } catch {
      throw credentialError(call, "the token contains characters that aren't valid in a header");
    }
    shared.lastValidCredential = value;
  }
  return value;
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
  return requireToken(call, await requestToken(call, token)).trim() !== rejected;
}

async function requestToken(call: CallState, getToken: TokenFunction): Promise<unknown> {
  const { shared, timeout } = call.settings;
  const { callLimit, rejectedToken } = call;
  try {
    return await race(shared.pendingTokens.request(getToken, rejectedToken), callLimit);
  } catch (cause) {
    if (callLimit.aborted) {
      // If the caller aborts the call, the function may still be working.
      const timedOut = (callLimit.reason as Error | undefined)?.name === 'TimeoutError';
      shared.pendingTokens.forgetPending(getToken, rejectedToken, timedOut ? 0 : timeout);
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
      ? 'no token; pass it to the client or the call, or set WORKTRACK_TOKEN'
      : 'the token function must return a non-empty string',
  );
}

const credentialError = (call: CallState, message: string, cause?: unknown) =>
  callError(call, ConfigurationError, message, { outcome: call.outcomeSoFar, cause });
