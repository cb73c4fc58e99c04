import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type ListeningServer, type ListenOptions, listen } from '../mock-server/http/listen.js';
import { parseError, UsageError } from './usage-error.js';

export const mockUsage = `worktrack mock: serve the API from memory
  --port <number>         port to listen on (4010; 0 for a free one)
  --host <address>        address to listen on (127.0.0.1; 0.0.0.0 for every one of this machine)
  --seed <file>           JSON file with the world to begin with
  --watch                 begin anew when that file changes
  --persist <file>        keep the state in this file, and begin with it where it is there
  --latency <ms>          wait before each answer; a range as <least>-<most>
  --rate-limit [number]   requests a minute for each credential (120 where no number is given)
  --now <date-time>       let the clock stand still at this time instead of running
  --random-seed <text>    where ids begin (0)
  --body-limit <bytes>    largest body to take (10000000)`;

export const mockOptions = {
  port: { type: 'string' },
  host: { type: 'string' },
  seed: { type: 'string' },
  watch: { type: 'boolean' },
  persist: { type: 'string' },
  latency: { type: 'string' },
  'rate-limit': { type: 'string' },
  now: { type: 'string' },
  'random-seed': { type: 'string' },
  'body-limit': { type: 'string' },
} as const;

/** Runs until it is told to stop. */
export async function mockCommand(args: readonly string[]): Promise<number> {
  const { file, watched, ...options } = readOptions(args);
  const world = file === undefined ? undefined : await readFile(file, 'utf8');
  const server = await listen({ ...options, world });
  const watcher = file !== undefined && watched ? watchSeed(server, file) : undefined;
  const { token, organization } = server.clientOptions();
  console.log(`worktrack mock is ready at ${server.url} (token ${token}, organization ${organization})`);
  await stopped();
  watcher?.close();
  await server.close();
  return 0;
}

interface MockArguments extends ListenOptions {
  /** The file with the world. */
  file: string | undefined;
  watched: boolean;
}

function readOptions(args: readonly string[]): MockArguments {
  const { latency, watch: watched = false, ...values } = parse(args);
  if (watched && values.seed === undefined) throw new UsageError('--watch needs --seed');
  const limit = count('rate-limit', values['rate-limit']);
  return {
    file: values.seed,
    watched,
    port: count('port', values.port) ?? 4010,
    host: values.host,
    persist: values.persist,
    bodyLimit: count('body-limit', values['body-limit']),
    now: values.now ?? 'real',
    seed: values['random-seed'],
    faults: latency === undefined ? [] : [{ latency: range(latency) }],
    rateLimit: limit === undefined ? undefined : { limit },
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: withNumber(args, '--rate-limit', '120'),
      options: mockOptions,
    }).values;
  } catch (error) {
    throw parseError(error, mockOptions);
  }
}

/** Gives an option that may stand alone the number it stands for. */
function withNumber(args: readonly string[], option: string, number: string): string[] {
  return args.flatMap((arg, index) =>
    arg === option && !/^\d/.test(args[index + 1] ?? '') ? [arg, number] : [arg],
  );
}

function count(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!/^\d+$/.test(text) || (option === 'port' && number > 65_535)) {
    throw new UsageError(`--${option} takes a number, not ${JSON.stringify(text)}`);
  }
  return number;
}

function range(text: string): number | readonly [number, number] {
  const match = /^(\d+)(?:-(\d+))?$/.exec(text);
  if (!match) throw new UsageError(`--latency takes <ms> or <least>-<most>, not ${JSON.stringify(text)}`);
  const [, least, most] = match;
  return most === undefined ? Number(least) : [Number(least), Number(most)];
}

/** Begins anew whenever the file changes; a world that cannot be leaves the old one in force. */
function watchSeed(server: ListeningServer, path: string) {
  let waiting: NodeJS.Timeout | undefined;
  const reload = async () => {
    try {
      server.mock.load(await readFile(path, 'utf8'));
      console.log(`${path} has changed: the world begins anew`);
    } catch (error) {
      console.error(`${path} has changed, but cannot be used: ${(error as Error).message}`);
    }
  };
  // Editors replace files, and a watcher of the file alone would lose it; several events are one change.
  return watch(dirname(resolve(path)), (_, file) => {
    if (file !== basename(path)) return;
    clearTimeout(waiting);
    waiting = setTimeout(reload, 50);
  });
}

function stopped(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => done());
  });
}
