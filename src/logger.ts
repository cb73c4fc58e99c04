/**
 * Writes log entries: `console`, or a logger with the same methods. Neither messages nor fields contain a
 * credential.
 */
export interface Logger {
  /** Logs each request and each response. */
  debug(message: string, fields: object): void;
  /** Logs retries, rate-limit pauses, and calls that failed. */
  info(message: string, fields: object): void;
  /** Logs responses that don't match the contract. */
  warn(message: string, fields: object): void;
  /** Logs hooks that failed. */
  error(message: string, fields: object): void;
}

/** The least severe level that is logged. */
export type LogLevel = keyof Logger | 'off';

export const logLevels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'off'];
