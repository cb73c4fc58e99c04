import { existsSync, type FSWatcher, watch as watchFolder } from 'node:fs';
import { basename, dirname } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { hasConsole, hasCredential, isPublicUrl } from '../../../mock-server/internal.js';
import { type ListeningServer, type ListenOptions, listen } from '../../../mock-server/node/index.js';
import { parseDateTime } from '../../../src/contract/index.js';
import { realPathOf } from '../../../src/node/internal.js';
import { integer, pathOf, port, UsageError } from '../command-line.js';
import type { CommandContext } from '../context.js';
import { readDeploymentFile } from '../deployment-file.js';
import { readOptionFile } from '../files.js';
import { recordHar } from './har-file.js';
import { openInBrowser, runWithServer, stopped } from './processes.js';

export function createCommand(context: CommandContext): Command {
  return createMockCommand(context).option('--open', 'Open the console in your browser');
}

/**
 * Creates the command without the options for the console. Used by the single-file server, which has no
 * console.
 */
export function createMockCommand(context: CommandContext): Command {
  return new Command('mock')
    .description('Start an in-memory mock server that enforces every API rule.')
    .option(
      '--port <number>',
      'Port to listen on; 0 picks a free port (default: 4010, or a free port with --exec)',
      port,
    )
    .option('--host <address>', 'Host to listen on; use 0.0.0.0 for all network interfaces', '127.0.0.1')
    .option('--public-url <url>', 'Public URL of the server, if it runs behind a proxy', parsePublicUrl)
    .option('--seed <file>', 'JSON file with seed data')
    .option(
      '--deployment <file>',
      'Behave like a deployment, with the settings from "worktrack conformance --settings"',
    )
    .option('--watch', 'Reload the seed file when it changes')
    .option(
      '--persist <file>',
      'Save the data and the clock to this file; if it exists, load it and ignore --seed and --now',
    )
    .option(
      '--har <file>',
      'Record requests and responses, except those in spaces, in an HTTP Archive (HAR) file',
    )
    .option('--exec <command>', "Run this command against the server, then exit with the command's exit code")
    .option(
      '--latency <ms>',
      'Delay responses by a number or range of milliseconds, such as 100 or 50-200',
      parseLatency,
    )
    .option(
      '--rate-limit [number]',
      "Limit each credential's requests per minute (120 if you omit the number; default: no limit)",
      integer(0),
    )
    .option('--now <date-time>', "Freeze the server's clock at this time", parseNow)
    .option(
      '--random-seed <string>',
      'Seed for generated IDs; with --now, the same seed produces the same IDs',
    )
    .option('--body-limit <bytes>', 'Maximum size of a request body (default: 10000000)', integer(0))
    .addHelpText('after', ({ command }) => helpText(command))
    .action((options: MockOptions) => runMock(options, context));
}

interface MockOptions extends Pick<ListenOptions, 'host' | 'port' | 'publicUrl' | 'persist' | 'bodyLimit'> {
  seed?: string;
  deployment?: string;
  watch?: boolean;
  open?: boolean;
  exec?: string;
  har?: string;
  latency?: number | readonly [number, number];
  rateLimit?: number | true;
  now?: string;
  randomSeed?: string;
}

async function runMock(options: MockOptions, context: CommandContext): Promise<void> {
  const { seed, watch, exec, open, har } = options;
  if (watch && seed === undefined) throw new UsageError('--watch requires --seed');
  const world = seed === undefined ? undefined : await readOptionFile('--seed', seed);
  const deployment =
    options.deployment === undefined
      ? undefined
      : await readDeploymentFile('--deployment', options.deployment);
  if (seed !== undefined && options.persist !== undefined && existsSync(options.persist))
    context.printError(`--seed: ignored ${seed}, because ${options.persist} contains the data`);
  const adminToken = context.env.WORKTRACK_ADMIN_TOKEN || undefined;
  const server = await listen({ ...listenOptions(options), world, deployment, adminToken });
  // If anything fails from here on, close the server, because an open server would keep the process running.
  let watcher: FSWatcher | undefined;
  let stopRecording: (() => void) | undefined;
  try {
    if (seed !== undefined && watch) watcher = await watchSeed(server, seed, context);
    if (har !== undefined) stopRecording = recordHar(har, server.mock.requests, context);
    const ready = readyLine(server);
    if (open) openConsole(server, context);
    if (exec === undefined) {
      // Listen for signals before printing, because a script may stop the server as soon as it reads the
      // output.
      const stop = stopped(context.env);
      context.print(ready);
      await stop;
    } else {
      context.printError(ready);
      context.exitCode = await runWithServer(exec, server, context.env);
    }
  } finally {
    watcher?.close();
    await server.close();
    stopRecording?.();
  }
}

function listenOptions(options: MockOptions): ListenOptions {
  const { exec, host, publicUrl, persist, bodyLimit, latency, rateLimit, now = 'real', randomSeed } = options;
  return {
    host,
    publicUrl,
    persist,
    bodyLimit,
    now,
    port: options.port ?? (exec === undefined ? 4010 : 0),
    randomSeed,
    faults: latency === undefined ? [] : [{ latency }],
    rateLimit: rateLimit === undefined ? undefined : { limit: rateLimit === true ? 120 : rateLimit },
  };
}

/**
 * Reloads the seed file when it changes. If the new content is invalid, the server keeps its current data.
 */
async function watchSeed(server: ListeningServer, path: string, context: CommandContext): Promise<FSWatcher> {
  let pending: NodeJS.Timeout | undefined;
  const reload = async () => {
    try {
      server.mock.load(await readOptionFile('--seed', path));
      context.printError(`reloaded ${path}`);
    } catch (error) {
      context.printError(`could not reload ${path}, keeping the current data: ${(error as Error).message}`);
    }
  };
  // Watch the folder instead of the file. Many editors replace the file when they save it, so a watcher on
  // the file would stop working. If the path is a symbolic link, its target is in another folder. Debounce
  // reloads, because saving the file can trigger several events.
  const target = await realPathOf(path);
  return watchFolder(dirname(target), (_, file) => {
    if (file !== basename(target)) return;
    clearTimeout(pending);
    pending = setTimeout(reload, 50);
  });
}

function readyLine(server: ListeningServer): string {
  const { token, organization } = hasCredential(server.mock) ? server.clientOptions() : {};
  const details = token ? [`token ${token}`, `organization ${organization}`] : ['no credential'];
  if (server.adminToken !== undefined) details.push(`admin token ${server.adminToken}`);
  const ready = `worktrack mock is ready at ${server.url} (${details.join(', ')})`;
  return hasConsole() ? `${ready}\nConsole: ${consoleUrl(server)}` : ready;
}

const consoleUrl = ({ url }: ListeningServer): string => `${url}/__admin/`;

function openConsole(server: ListeningServer, context: CommandContext): void {
  if (hasConsole()) openInBrowser(consoleUrl(server), context);
  else context.printError("The console hasn't been built. In a checkout, run `npm run build`.");
}

function parsePublicUrl(text: string): string {
  if (isPublicUrl(text)) return text;
  throw new InvalidArgumentError('Expected an http or https URL, such as https://mock.example.com.');
}

function parseLatency(text: string): number | readonly [number, number] {
  const [, from, to] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  if (from === undefined)
    throw new InvalidArgumentError('Expected a number or range of milliseconds, such as 100 or 50-200.');
  const latency = [Number(from), Number(to ?? from)] as const;
  if (latency[0] > latency[1]) throw new InvalidArgumentError('Expected the minimum first, such as 50-200.');
  // This is the longest delay that a timer supports.
  if (latency[1] >= 2 ** 31) throw new InvalidArgumentError('Expected at most 2147483647 milliseconds.');
  return to === undefined ? latency[0] : latency;
}

function parseNow(text: string): string {
  if (text === 'real' || parseDateTime(text)) return text;
  throw new InvalidArgumentError('Expected a date-time with an offset, such as 2026-01-01T09:00:00Z.');
}

function helpText(command: Command): string {
  const name = pathOf(command);
  const withConsole = command.options.some(({ long }) => long === '--open');
  const [printed, openExample] = withConsole
    ? [
        'a token, an organization ID, and the console URL. Press Ctrl+C\nto stop it.',
        `\n  ${name} --open                            also open the console in your browser`,
      ]
    : ['a token, and an organization ID. Press Ctrl+C to stop it.', ''];
  return `
When the server is ready, it prints its URL, ${printed}

Examples:
  ${name}                                   start with an empty organization on port 4010${openExample}
  ${name} --seed seed.json --watch          load your own data and reload it on every save
  ${name} --seed seed.json --exec "pytest"  run a test suite against the server
  ${name} --har requests.har                record the requests in an HTTP Archive
  ${name} --deployment deployment.json      behave like your deployment
  ${name} --rate-limit 5 --latency 50-200   test rate limits and slow responses

--exec sets WORKTRACK_BASE_URL, WORKTRACK_TOKEN, and WORKTRACK_ORGANIZATION for the command. If tickets have a
default board, it also sets WORKTRACK_DEFAULT_BOARD.

If other machines can reach the server, its admin routes require a token. Set WORKTRACK_ADMIN_TOKEN, or use
the random token the server prints.

Exit codes:
  0  stopped by a signal
  1  the server couldn't start, for example because the port is in use
  2  invalid command line
  With --exec, the CLI exits with the command's exit code.`;
}
