import type { CliEnvironment } from './context.js';

/**
 * Returns the terminal and environment of this process. The process exits if it can't write to standard
 * output.
 */
export function processEnvironment(): CliEnvironment {
  // A closed pipe (`| head`) isn't an error, but a full disk is.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    console.error(`worktrack: could not write the output: ${error.message}`);
    process.exit(1);
  });
  return {
    env: process.env,
    isTerminal: process.stdout.isTTY === true,
    width: process.stdout.columns ?? Number.POSITIVE_INFINITY,
    print: (text) => console.log(text),
    printError: (text) => console.error(text),
  };
}
