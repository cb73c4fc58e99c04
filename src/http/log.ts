import { type Logger, logLevels } from '../logger.js';
import type { CallState } from './call-state.js';
import type { Settings } from './settings.js';

/** Writes a log entry unless it's below the client's log level. All log entries are redacted here. */
export function log(
  { settings, redact }: CallState,
  level: keyof Logger,
  message: string,
  fields: object,
): void {
  if (!isLogged(settings, level)) return;
  try {
    settings.logger[level]?.(redact(message), redact(fields));
  } catch {
    // A successful call must not fail because of the logger.
  }
}

export const isLogged = ({ logLevel }: Settings, level: keyof Logger): boolean =>
  logLevels.indexOf(level) >= logLevels.indexOf(logLevel);
