import type { CallEvent, Hooks } from '../hooks.js';
import { type Logger, logLevels } from '../logger.js';
import type { Settings } from '../settings.js';
import type { CallState } from './state.js';

/** Writes a line, unless the client's level leaves it out. The one way to the logger: nothing passes unredacted. */
export function log(
  { settings, redact }: CallState,
  level: keyof Logger,
  message: string,
  fields: object,
): void {
  if (isLeftOut(settings, level)) return;
  try {
    settings.logger[level]?.(redact(message), redact(fields));
  } catch {
    // A logger that fails has nowhere to say so, and must not make a write look failed that was done.
  }
}

const isLeftOut = ({ logLevel }: Settings, level: keyof Logger) =>
  logLevels.indexOf(level) < logLevels.indexOf(logLevel);

type EventOf<Name extends keyof Hooks> = Parameters<NonNullable<Hooks[Name]>>[0];

/** Tells the logger and the hooks. */
export function tell<Name extends keyof Hooks>(
  call: CallState,
  name: Name,
  describe: () => Omit<EventOf<Name>, keyof CallEvent>,
  body?: string,
): void {
  const { settings, operation, request } = call;
  const level = name === 'retry' || name === 'error' ? 'info' : 'debug';
  // Nobody listens, as in most clients: nothing is put together for them.
  if (!settings.hooks.length && isLeftOut(settings, level)) return;
  const more = describe();
  const about = {
    operation: call.id,
    method: operation.method,
    urlTemplate: operation.path,
    url: request.url,
    attempt: call.attempts,
    organization: settings.organization,
  };
  const {
    error,
    headers: _,
    ...figures
  } = { ...more } as {
    error?: Error;
    headers?: unknown;
    status?: number;
    durationMs?: number;
    delayMs?: number;
  };
  const { status, durationMs, delayMs } = figures;
  const said = {
    request: `${operation.method} ${operation.path}, attempt ${call.attempts}`,
    response: `${status} after ${durationMs} ms`,
    retry: `attempt ${call.attempts} failed, the next in ${delayMs} ms: ${error?.message}`,
    error: `failed after ${durationMs} ms: ${error?.message}`,
  };
  log(call, level, `worktrack: ${call.id}: ${said[name]}`, {
    ...about,
    ...figures,
    ...(settings.logBodies && body !== undefined && { body: parse(body) }),
  });
  for (const hooks of settings.hooks) {
    // Runs at once; being async, it also catches what an async hook rejects with.
    const run = async () => hooks[name]?.({ ...about, ...more, call: call.key } as never);
    run().catch((cause) => log(call, 'error', `worktrack: a ${name} hook failed: ${cause}`, about));
  }
}

/** The text as JSON, in which no escape hides a credential from redaction; itself where it is none. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
