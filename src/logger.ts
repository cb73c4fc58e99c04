/**
 * Where the client writes, for example `console` or a logger with the same methods. Each line comes
 * with its fields; neither holds a credential.
 */
export interface Logger {
  /** Each request and each answer. */
  debug(message: string, fields: object): void;
  /** Repeats, and calls that ended in an error. */
  info(message: string, fields: object): void;
  /** Answers that do not fit the contract. */
  warn(message: string, fields: object): void;
  /** Hooks that failed. */
  error(message: string, fields: object): void;
}

/** The least severe lines that are written. */
export type LogLevel = keyof Logger | 'off';

export const logLevels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'off'];
