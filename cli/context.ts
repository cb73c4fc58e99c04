import type { ClientOptions } from '../src/index.js';

/** The terminal and environment the CLI runs in. Tests provide their own. */
export interface CliEnvironment {
  env: NodeJS.ProcessEnv;
  /** Whether standard output is a terminal. */
  isTerminal: boolean;
  /** The terminal width in columns, or `Infinity` if the output is piped. */
  width: number;
  /** Prints one or more lines to standard output. */
  print(text: string): void;
  /** Whether nobody reads standard output any more, as after `| head`. */
  isOutputClosed?(): boolean;
  /** Prints one or more lines to standard error. */
  printError(text: string): void;
  /** Client options that can't be set with flags, such as `fetch`. */
  client?: ClientOptions | undefined;
}

export type Color = 'green' | 'yellow' | 'red' | 'magenta';

/** The context passed to every command. The print functions strip control characters. */
export interface CommandContext extends CliEnvironment {
  /** Prints lines in a color if the output is a terminal. */
  printColored(text: string, color: Color): void;
  /** The exit code if the command doesn't throw. */
  exitCode: number;
}
