import type { Operation, OperationId } from '../contract/index.js';
import {
  type ConnectionContext,
  ConnectionError,
  type ErrorContext,
  type Outcome,
  RequestAbortedError,
  RequestTimeoutError,
  type WorktrackError,
} from '../errors/index.js';
import type { Settings } from '../settings.js';
import type { Limit } from './interrupt.js';
import { quote } from './quote.js';
import type { Received } from './received.js';
import type { Redact } from './redact.js';

/** What a call asks for. */
export interface Plan {
  /** The operation's id; method and path for one that the contract does not know. */
  readonly id: OperationId | (string & {});
  readonly operation: Pick<
    Operation,
    'method' | 'path' | 'idempotent' | 'errorCodes' | 'parameters' | 'body'
  > & {
    /** Undefined for what the contract does not know. */
    number?: number;
  };
  readonly request: { readonly url: string; readonly body: string | undefined };
  /** Makes the result of a success; undefined where its body does not matter. */
  readonly read: ((call: CallState, response: Received, text: string) => unknown) | undefined;
}

/** A call under way. */
export interface CallState extends Plan {
  readonly settings: Settings;
  /** Stands for the call in the events that hooks see. */
  readonly key: object;
  /** The credentials that the attempts used. */
  readonly secrets: Set<string>;
  readonly redact: Redact;
  /** Ends with the caller's signal or the deadline. */
  readonly total: Limit;
  /** When the deadline is, in milliseconds of `Date.now()`. */
  readonly endsAt: number;
  /** When the current attempt was sent, or the call began. */
  begunAt: number;
  attempts: number;
  /** What the server made of the attempts so far. */
  standing: Outcome;
  /** The credential of the current attempt. */
  token: string | undefined;
  /** The credential that a 401 refused. */
  rejected: string | undefined;
}

/** Makes an error about a call, with what is known of it, and no credential in it. */
export function failure<Context extends ErrorContext, Kind>(
  call: CallState,
  ErrorClass: new (message: string, context: Context) => Kind,
  message: string,
  context: Omit<Context, 'operation' | 'attempts'>,
): Kind {
  // A write that may have happened once stays so, whatever a later attempt met.
  const lost = call.standing === 'unknown' && call.operation.method !== 'GET' && context.outcome !== 'done';
  const clean = Object.entries(context).map(([name, value]) => [name, call.redact(value)]);
  return new ErrorClass(call.redact(`${call.id}: ${message}`), {
    ...Object.fromEntries(clean),
    ...(lost && { outcome: 'unknown' }),
    operation: call.operation.number && call.id,
    attempts: call.attempts,
  } as unknown as Context);
}

/** How far an attempt had come when it was interrupted. */
export interface Progress extends Partial<ConnectionContext> {
  /** The attempt's own limit. */
  attempt?: Limit | undefined;
}

/** Why something that was awaited failed: the caller's signal, a limit of time, or the connection. */
export function interruption(call: CallState, { attempt, cause, ...progress }: Progress): WorktrackError {
  const { signal, deadline, timeout, baseUrl } = call.settings;
  const context = { outcome: call.standing, ...progress };
  if (signal?.aborted) {
    const error = failure(call, RequestAbortedError, "ended by the caller's signal", context);
    return Object.defineProperty(error, 'cause', {
      value: signal.reason,
      configurable: true,
      writable: true,
    });
  }
  const late = (limit: 'timeout' | 'deadline', milliseconds: number) =>
    failure(call, RequestTimeoutError, `no complete answer within ${milliseconds} ms (option "${limit}")`, {
      ...context,
      limit,
      milliseconds,
      cause,
    });
  if (call.total.aborted) return late('deadline', deadline);
  if (attempt?.aborted) return late('timeout', timeout);
  const { origin } = new URL(baseUrl);
  const what = progress.status
    ? `the answer of ${origin} (${progress.status}) was cut off`
    : `no answer from ${origin}`;
  return failure(call, ConnectionError, `${what}: ${quote(describe(cause))}`, {
    ...context,
    ...(neverConnected(cause) && { outcome: 'not_sent' as const }),
    cause,
  });
}

/** What is awaited before the request goes out; cut short, it fails as the call does. */
export const orInterruption = <Value>(call: CallState, awaited: Promise<Value>): Promise<Value> =>
  awaited.catch((cause) => {
    throw interruption(call, { cause });
  });

interface SystemError {
  code?: unknown;
  message?: unknown;
  syscall?: unknown;
  cause?: SystemError;
  /** One for each address of the host that was tried. */
  errors?: SystemError[];
}

/** The platform's fetch says "fetch failed", and hides the reason in the cause. */
function describe(error: unknown): string {
  const { message, cause } = (error ?? {}) as SystemError;
  return String(cause?.message || cause?.code || message || error);
}

/** Of Node.js, undici, Bun and OpenSSL: no address, nobody there, or no agreement on TLS. */
const beforeConnection =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|E(NET|HOST)UNREACH|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|.*CERT.*|UNABLE_TO_VERIFY_LEAF_SIGNATURE|ERR_SSL_(WRONG_VERSION_NUMBER|.*PROTOCOL.*|.*HANDSHAKE.*))$/;

/** Whether the failure came before a connection stood, so that the server cannot have seen the request. */
function neverConnected(error: unknown): boolean {
  const { code, syscall, cause, errors } = (error ?? {}) as SystemError;
  return (
    // Some of the codes come from a connection that stood as well: where the step is named, it decides.
    (syscall === undefined
      ? beforeConnection.test(String(code))
      : /^(connect|getaddrinfo)$/.test(String(syscall))) ||
    (Array.isArray(errors) && errors.length > 0 && errors.every(neverConnected)) ||
    (cause !== undefined && neverConnected(cause))
  );
}
