import type { ClientOptions } from '../src/index.js';

/** The terminal and the environment that the command line runs in. Tests pass their own. */
export interface CliEnvironment {
  env: NodeJS.ProcessEnv;
  /** Whether standard output is a terminal. */
  isTerminal: boolean;
  /** The width of the terminal in columns; infinite in a pipe. */
  width: number;
  /** Prints one or more lines to standard output. */
  print(text: string): void;
  /** Prints one or more lines to standard error. */
  printError(text: string): void;
  /** Client options that no flag sets, such as `fetch`. */
  client?: ClientOptions | undefined;
}

/** The context of every command. Control characters are removed from the text that it prints. */
export interface CommandContext extends CliEnvironment {
  /** The exit code of a command that doesn't throw. Set it for exit codes other than 0. */
  exitCode: number;
}
