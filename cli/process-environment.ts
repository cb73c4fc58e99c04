import type { CliEnvironment } from './context.js';

/** The terminal and the environment of this process. Exits if the output can't be written. */
export function processEnvironment(): CliEnvironment {
  // If the reader of the pipe stops early (`| head`), that isn't an error. A full disk is an error.
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
