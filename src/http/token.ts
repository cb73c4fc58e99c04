import { ConfigurationError } from '../errors/index.js';
import type { Token, TokenRequest } from '../options.js';
import { encodeCredential } from '../wire/index.js';
import { race } from './interrupt.js';
import { quote } from './quote.js';
import { type CallState, failure, interruption } from './state.js';

/** The credentials that functions gave, while they are being asked, and the latest in place of a refused one. */
export type TokenFlights = WeakMap<object, Flight[]>;

interface Flight {
  rejected: string | undefined;
  token: Promise<unknown>;
}

/**
 * The credential as its header holds it.
 *
 * @throws ConfigurationError where there is none, its function fails, or no header can carry it
 */
export async function credentialOf(call: CallState): Promise<string> {
  const { credential } = call.settings.wire;
  const { token } = call.settings;
  // A header loses the white space around its value, so an echo of it has none either.
  call.token = usable(call, typeof token === 'function' ? await asked(call, token) : token).trim();
  call.secrets.add(call.token);
  const value = encodeCredential(credential, call.token);
  const { shared } = call.settings;
  if (shared.carried !== value) {
    try {
      new Headers({ [credential.header]: value });
    } catch {
      throw unusable(call, 'the token holds characters that no header can carry');
    }
    shared.carried = value;
  }
  return value;
}

/**
 * After a 401: gets another credential in place of the one that was refused, once a call. Calls that
 * were refused together ask once.
 *
 * @returns whether there is another, so that the attempt is worth repeating
 */
export async function renewToken(call: CallState): Promise<boolean> {
  const { token } = call.settings;
  if (typeof token !== 'function' || call.rejected !== undefined) return false;
  const refused = call.token as string;
  call.rejected = refused;
  return usable(call, await asked(call, token)).trim() !== refused;
}

async function asked(call: CallState, ask: AskToken): Promise<unknown> {
  try {
    return await race(shared(call, ask), call.total);
  } catch (cause) {
    if (call.total.aborted) throw interruption(call, { cause });
    const reason = cause instanceof Error ? `: ${quote(cause.message)}` : '';
    throw unusable(call, `the token function failed${reason}`, cause);
  }
}

function usable(call: CallState, token: unknown): string {
  if (typeof token === 'string' && token.trim()) return token;
  throw unusable(
    call,
    call.settings.token === undefined
      ? 'no token: pass it to the client or the call, or set WORKTRACK_TOKEN'
      : 'the token function must return text that is not empty',
  );
}

type AskToken = Exclude<Token, string>;

function shared({ rejected, settings }: CallState, ask: AskToken): Promise<unknown> {
  const flights = settings.shared.tokens.get(ask) ?? [];
  settings.shared.tokens.set(ask, flights);
  const known = flights.find((flight) => flight.rejected === rejected);
  if (known) return known.token;
  const request: TokenRequest = rejected === undefined ? {} : { rejected };
  const flight = { rejected, token: Promise.resolve().then(() => ask(request)) };
  const forget = () => {
    const place = flights.indexOf(flight);
    if (place >= 0) flights.splice(place, 1);
  };
  if (rejected === undefined) flight.token.then(forget, forget);
  else {
    // A call that is refused later with the same old credential takes the one that replaced it. The
    // refused one given again replaces nothing: the next call may ask anew.
    const earlier = flights.findIndex((other) => other.rejected !== undefined);
    if (earlier >= 0) flights.splice(earlier, 1);
    flight.token.then((token) => token === rejected && forget(), forget);
  }
  flights.push(flight);
  return flight.token;
}

const unusable = (call: CallState, message: string, cause?: unknown) =>
  failure(call, ConfigurationError, message, { outcome: call.standing, cause });
