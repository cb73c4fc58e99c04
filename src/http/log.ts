import { type Logger, logLevels } from '../logger.js';
import type { CallState } from './call-state.js';
import type { Settings } from './settings.js';

/**
 * Writes a line unless the client's level excludes it. All log lines pass through this function, so all of
 * them are redacted.
 */
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
    // If the logger fails, a write that the server has performed must not appear to have failed.
  }
}

export const isLogged = ({ logLevel }: Settings, level: keyof Logger): boolean =>
  logLevels.indexOf(level) >= logLevels.indexOf(logLevel);
