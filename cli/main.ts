#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { conformanceCommand, conformanceUsage } from './conformance-command.js';
import { mockCommand, mockUsage } from './mock-command.js';
import { completionCommand, completionUsage } from './operations/completion.js';
import { namespaces } from './operations/description.js';
import { operationCommand } from './operations/operation-command.js';
import { UsageError } from './usage-error.js';

/** What `worktrack` can do, by the word after it. A command resolves when its work is done. */
const commands: Record<string, { run(args: readonly string[]): Promise<number>; usage: string }> = {
  mock: { run: mockCommand, usage: mockUsage },
  conformance: { run: conformanceCommand, usage: conformanceUsage },
  completion: { run: completionCommand, usage: completionUsage },
};

const operationsUsage = `worktrack ${[...namespaces.keys()].join('|')} …: the operations of the API, by their ids
  worktrack tickets list <project> --q launch --json
  worktrack <one of them> --help lists what it has; worktrack help tickets move says all about one`;

const words = process.argv.slice(2);

// Whoever reads the output may stop early (`| head`); a disk that is full is no success.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  console.error(`worktrack: the output cannot be written: ${error.message}`);
  process.exit(1);
});

try {
  process.exitCode = await main(words);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  const { cause } = error as { cause?: unknown };
  console.error(`worktrack ${words[0]}: ${message}${cause instanceof Error ? ` (${cause.message})` : ''}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

async function main([name = '--help', ...args]: readonly string[]): Promise<number> {
  if (name === '--version' || name === '-v') {
    console.log(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version);
    return 0;
  }
  if (name === '--help' || name === '-h' || name === 'help') {
    if (name === 'help' && args[0]?.startsWith('-') === false) return main([...args, '--help']);
    console.log(
      `Usage: worktrack <command> [options]\n\n${[operationsUsage, ...Object.values(commands).map(({ usage }) => usage)].join('\n\n')}`,
    );
    return 0;
  }
  if (namespaces.has(name.split('.')[0] ?? '')) return operationCommand([name, ...args]);
  const command = commands[name];
  if (!command)
    throw new UsageError(
      `there is no such command; there are: ${[...namespaces.keys(), ...Object.keys(commands)].join(', ')}`,
    );
  if (args.includes('--help') || args.includes('-h')) {
    console.log(command.usage);
    return 0;
  }
  return command.run(args);
}
