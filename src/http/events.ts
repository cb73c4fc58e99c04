import type { CallEvent, Hooks } from '../hooks.js';
import { type Logger, logLevels } from '../logger.js';
import { race } from '../shared/abort.js';
import { describeThrown } from '../shared/describe-thrown.js';
import { parseJson } from '../shared/json.js';
import type { CallState } from './call-state.js';
import type { Settings } from './settings.js';

type EventOf<Name extends keyof Hooks> = Parameters<NonNullable<Hooks[Name]>>[0];

/** The fields that are specific to an event. */
type Details<Name extends keyof Hooks> = Omit<EventOf<Name>, keyof CallEvent>;

const levels: Record<keyof Hooks, keyof Logger> = {
  request: 'debug',
  response: 'debug',
  retry: 'info',
  pause: 'info',
  error: 'info',
};

/**
 * Logs a call's event and passes it to the hooks.
 *
 * @returns a promise that never rejects, or undefined if no hook is asynchronous
 */
export function emit<Name extends keyof Hooks>(
  call: CallState,
  name: Name,
  describe: () => Details<Name>,
  body?: string,
): Promise<unknown> | undefined {
  const { settings, operation, request, redactor } = call;
  const level = levels[name];
  // Don't build the event, because most clients have no hooks and don't log at this level.
  if (!settings.hooks.length && !isLogged(settings, level)) return undefined;
  const details = describe();
  const { context, baseUrl } = settings;
  const common = {
    operation: redactor.redact(operation.id),
    method: operation.method,
    // The query can contain a token, and so can the path of a raw request.
    urlTemplate: redactor.redact(operation.path),
    url: baseUrl + redactor.redact(request.url.slice(baseUrl.length)),
    attempt: call.attempts,
    organization: settings.organization,
  };
  const { error, headers: _, ...numbers } = { ...details } as LoggedDetails;
  const message = `worktrack: ${call.operation.id}: ${messageOf(name, call, { error, ...numbers })}`;
  log(call, level, message, { ...common, ...numbers }, settings.logBodies ? body : undefined);
  const logFailure = (cause: unknown) =>
    log(call, 'error', `worktrack: the ${name} hook failed: ${describeThrown(cause)}`, common);
  const pending: Promise<unknown>[] = [];
  for (const hooks of settings.hooks) {
    try {
      const returned: unknown = hooks[name]?.({ ...common, context, ...details, call: call.key } as never);
      if (isThenable(returned)) pending.push(Promise.resolve(returned).catch(logFailure));
    } catch (cause) {
      logFailure(cause);
    }
  }
  if (!pending.length) return undefined;
  // A hook that never finishes must not delay the call past its total timeout.
  return race(Promise.all(pending), call.callLimit).catch(() => {});
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as PromiseLike<unknown> | undefined)?.then === 'function';

interface LoggedDetails {
  error?: Error | undefined;
  headers?: unknown;
  status?: number;
  durationMs?: number;
  delayMs?: number | undefined;
  reason?: string;
}

function messageOf(
  name: keyof Hooks,
  { operation, attempts }: CallState,
  { error, status, durationMs, delayMs, reason }: LoggedDetails,
): string {
  switch (name) {
    case 'request':
      return `${operation.method} ${operation.path}, attempt ${attempts}`;
    case 'response':
      return `${status} after ${durationMs} ms`;
    case 'retry':
      return `attempt ${attempts} failed, retrying in ${delayMs} ms: ${error?.message}`;
    case 'pause':
      return error
        ? `waiting ${delayMs} ms because of a rate limit: ${error.message}`
        : `waiting ${delayMs === undefined ? '' : `${delayMs} ms `}because of option "throttle" (${reason})`;
    case 'error':
      return `failed after ${durationMs} ms: ${error?.message}`;
  }
}

/** Writes a log entry unless it's below the client's log level. All log entries are redacted here. */
export function log(
  { settings, redactor }: CallState,
  level: keyof Logger,
  message: string,
  fields: object,
  body?: string,
): void {
  if (!isLogged(settings, level)) return;
  const { context } = settings;
  // The context isn't copied or redacted, because it belongs to the caller.
  const redacted = { ...redactor.redact(fields), ...(context !== undefined && { context }) };
  // A failing logger must not make a successful call fail. The logger can also be asynchronous.
  (async () =>
    settings.logger[level]?.(
      redactor.redact(message),
      body === undefined ? redacted : { ...redacted, body: redactor.redactBody(body, parseJson(body)) },
    ))().catch(() => {});
}

const isLogged = ({ logLevel }: Settings, level: keyof Logger): boolean =>
  logLevels.indexOf(level) >= logLevels.indexOf(logLevel);
