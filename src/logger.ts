/**
 * Receives log entries. You can use `console` or any logger with the same methods. The client redacts
 * credentials in messages and fields, except in the `context`.
 */
export interface Logger {
  /** Logs requests and responses. */
  debug(message: string, fields: object): void;
  /** Logs retries, waits for a rate limit or the throttle, and failed calls. */
  info(message: string, fields: object): void;
  /** Logs responses that don't match the contract. */
  warn(message: string, fields: object): void;
  /** Logs hook failures. */
  error(message: string, fields: object): void;
}

/** The lowest level to log. */
export type LogLevel = keyof Logger | 'off';

export const logLevels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'off'];
