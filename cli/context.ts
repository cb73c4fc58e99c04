import type { ClientOptions } from '../src/index.js';

/** The terminal and the environment that the command line runs in. Tests pass their own. */
export interface CliEnvironment {
  env: NodeJS.ProcessEnv;
  /** Whether a person reads standard output. */
  isTerminal: boolean;
  /** Columns of the terminal; infinite in a pipe. */
  width: number;
  /** Prints one or more lines to standard output. */
  print(text: string): void;
  /** Prints one or more lines to standard error. */
  printError(text: string): void;
  /** Options of the client that the flags can't set, such as `fetch`. */
  client?: ClientOptions | undefined;
}

/** What every command works with. Text that it prints is stripped of control characters. */
export interface CommandContext extends CliEnvironment {
  /** The exit code of a command that doesn't throw. Set it for a result that isn't 0. */
  exitCode: number;
}
