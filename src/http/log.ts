import { type Logger, logLevels } from '../logger.js';
import { parseJson } from '../shared/parse-json.js';
import type { CallState } from './call-state.js';
import type { Settings } from './settings.js';

/** Writes a log entry unless it's below the client's log level. All log entries are redacted here. */
export function log(
  { settings, redactor }: CallState,
  level: keyof Logger,
  message: string,
  fields: object,
  body?: string,
): void {
  if (!isLogged(settings, level)) return;
  const redacted = redactor.redact(fields);
  try {
    settings.logger[level]?.(
      redactor.redact(message),
      body === undefined ? redacted : { ...redacted, body: redactor.redactBody(body, parseJson(body)) },
    );
  } catch {
    // A successful call must not fail because of the logger.
  }
}

export const isLogged = ({ logLevel }: Settings, level: keyof Logger): boolean =>
  logLevels.indexOf(level) >= logLevels.indexOf(logLevel);
