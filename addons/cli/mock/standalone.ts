#!/usr/bin/env node
// The entry point of worktrack-mock.mjs, a single file that contains only `worktrack mock`.
import { CommanderError } from 'commander';
import { SeedError } from '../../../mock-server/index.js';
import { VERSION } from '../../../src/index.js';
import { configure, UsageError } from '../command-line.js';
import { type CommandContext, processEnvironment } from '../context.js';
import { createMockCommand } from './command.js';

const environment = processEnvironment();
const context: CommandContext = { ...environment, printColored: environment.print, exitCode: 0 };
const program = createMockCommand(context)
  .name('node worktrack-mock.mjs')
  .version(VERSION, '-v, --version', 'Print the version');
configure(program, context);

try {
  await program.parseAsync();
  process.exitCode = context.exitCode;
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode;
  else {
    const option = error instanceof SeedError ? '--seed: ' : '';
    context.printError(`worktrack-mock: ${option}${(error as Error).message}`);
    process.exitCode = error instanceof UsageError || error instanceof SeedError ? 2 : 1;
  }
}
