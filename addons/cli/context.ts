import { fstatSync, writeFileSync } from 'node:fs';
import type { ClientOptions } from '../../src/index.js';

/** The terminal and environment the CLI runs in. Tests provide their own. */
export interface CliEnvironment {
  env: NodeJS.ProcessEnv;
  /** Whether standard output is a terminal. */
  isTerminal: boolean;
  /** The terminal width in columns, or `Infinity` if the output is piped. */
  width: number;
  /** Prints one or more lines to standard output. */
  print(text: string): void;
  /** Like `print`, but waits until the text has been written. Rejects if it can't be written. */
  write(text: string): Promise<void>;
  /** Whether the process that reads standard output has closed the pipe, as `| head` does. */
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

/**
 * Returns this process's terminal and environment. If the output can't be written, the exit code is nonzero.
 */
export function processEnvironment(): CliEnvironment {
  // A failed write doesn't stop the command, because an import must still close its book and report the
  // rows that failed.
  let hasFailed = false;
  let isClosed = false;
  const reportError = (error: NodeJS.ErrnoException) => {
    // A closed pipe, as with `| head`, isn't an error, but a full disk is.
    isClosed ||= error.code === 'EPIPE';
    if (error.code === 'EPIPE' || hasFailed) return;
    hasFailed = true;
    console.error(`worktrack: could not write the output: ${error.message}`);
    process.once('exit', () => {
      process.exitCode ||= 1;
    });
  };
  process.stdout.on('error', reportError);
  // If writing to standard error fails, there is nowhere left to report it.
  process.stderr.on('error', () => {});
  // In a worker thread, standard output has no file descriptor.
  const { fd } = process.stdout as { fd?: number };
  const file = fd !== undefined && fstatSync(fd).isFile() ? fd : undefined;
  const write = async (text: string): Promise<void> => {
    const line = `${text}\n`;
    if (file === undefined) {
      await new Promise<void>((resolve, reject) => {
        process.stdout.write(line, (error) => (error ? reject(error) : resolve()));
      });
      return;
    }
    // If standard output is a file, Node.js's stream doesn't report an error when only part of the text fits
    // on the disk.
    try {
      writeFileSync(file, line);
    } catch (error) {
      reportError(error as Error);
      throw error;
    }
  };
  return {
    env: process.env,
    isTerminal: process.stdout.isTTY === true,
    // Some terminals report 0 columns if they don't know their width.
    width: process.stdout.isTTY ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY,
    isOutputClosed: () => isClosed,
    // The error has already been reported.
    print: (text) => void write(text).catch(() => {}),
    write,
    printError: (text) => console.error(text),
  };
}
