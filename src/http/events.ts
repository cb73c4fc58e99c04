import type { CallEvent, Hooks } from '../hooks.js';
import type { Logger } from '../logger.js';
import { parseJson } from '../shared/parse-json.js';
import type { CallState } from './call-state.js';
import { isLogged, log } from './log.js';

type EventOf<Name extends keyof Hooks> = Parameters<NonNullable<Hooks[Name]>>[0];

/** The fields of an event beside those that every event has. */
type Details<Name extends keyof Hooks> = Omit<EventOf<Name>, keyof CallEvent>;

const levels: Record<keyof Hooks, keyof Logger> = {
  request: 'debug',
  response: 'debug',
  retry: 'info',
  error: 'info',
};

/** Logs an event of a call and passes it to the hooks. */
export function emit<Name extends keyof Hooks>(
  call: CallState,
  name: Name,
  describe: () => Details<Name>,
  body?: string,
): void {
  const { settings, operation, request } = call;
  const level = levels[name];
  // Most clients have no hooks and log less: building the event would be wasted.
  if (!settings.hooks.length && !isLogged(settings, level)) return;
  const details = describe();
  const context = {
    operation: call.id,
    method: operation.method,
    urlTemplate: operation.path,
    url: request.url,
    attempt: call.attempts,
    organization: settings.organization,
  };
  const { error, headers: _, ...numbers } = { ...details } as LoggedDetails;
  log(call, level, `worktrack: ${call.id}: ${messageOf(name, call, { error, ...numbers })}`, {
    ...context,
    ...numbers,
    ...(settings.logBodies && body !== undefined && { body: parseJson(body) }),
  });
  for (const hooks of settings.hooks) {
    // Async, so that it also catches what an async hook rejects with.
    const run = async () => hooks[name]?.({ ...context, ...details, call: call.key } as never);
    run().catch((cause) => log(call, 'error', `worktrack: the ${name} hook failed: ${cause}`, context));
  }
}

interface LoggedDetails {
  error?: Error | undefined;
  headers?: unknown;
  status?: number;
  durationMs?: number;
  delayMs?: number;
}

function messageOf(
  name: keyof Hooks,
  { operation, attempts }: CallState,
  { error, status, durationMs, delayMs }: LoggedDetails,
): string {
  switch (name) {
    case 'request':
      return `${operation.method} ${operation.path}, attempt ${attempts}`;
    case 'response':
      return `${status} after ${durationMs} ms`;
    case 'retry':
      return `attempt ${attempts} failed, retrying in ${delayMs} ms: ${error?.message}`;
    case 'error':
      return `failed after ${durationMs} ms: ${error?.message}`;
  }
}
