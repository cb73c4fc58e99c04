import { type Logger, logLevels } from '../logger.js';
import type { CallState } from './call-state.js';
import type { Settings } from './settings.js';

/** Writes a line unless the client's level excludes it. Every line goes through here, so every line is redacted. */
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
    // A failing logger must not make a write that the server performed look failed.
  }
}

export const isLogged = ({ logLevel }: Settings, level: keyof Logger): boolean =>
  logLevels.indexOf(level) >= logLevels.indexOf(logLevel);
