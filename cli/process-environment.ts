import type { CliEnvironment } from './context.js';

/** Returns the terminal and environment of this process. If it can't write its output, the exit code isn't 0. */
export function processEnvironment(): CliEnvironment {
  // The command always runs to its end, because an import must still close its ledger and report failed rows.
  let hasFailed = false;
  let isClosed = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A closed pipe (`| head`) isn't an error, but a full disk is.
    isClosed ||= error.code === 'EPIPE';
    if (error.code === 'EPIPE' || hasFailed) return;
    hasFailed = true;
    console.error(`worktrack: could not write the output: ${error.message}`);
    process.once('exit', () => {
      process.exitCode ||= 1;
    });
  });
  // There is nowhere left to report this.
  process.stderr.on('error', () => {});
  return {
    env: process.env,
    isTerminal: process.stdout.isTTY === true,
    width: process.stdout.columns ?? Number.POSITIVE_INFINITY,
    isOutputClosed: () => isClosed,
    print: (text) => console.log(text),
    printError: (text) => console.error(text),
  };
}
