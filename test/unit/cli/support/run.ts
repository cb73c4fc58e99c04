import type { ClientOptions } from 'worktrack';
import { createMockServer, type MockServer } from 'worktrack/mock-server';
import { tools } from '../../../../addons/cli/commands.js';
import { runCli } from '../../../../addons/cli/run.js';
import '../../../../addons/cli/operations/command.js';

// The CLI loads the module of a command when the command runs. Loading all of them here keeps the first test
// from being slower than the others.
await Promise.all(Object.values(tools).map(({ load }) => load()));

export interface RunOptions {
  /** Whether the output is a terminal rather than a pipe. */
  terminal?: boolean;
  width?: number;
  env?: NodeJS.ProcessEnv;
  client?: ClientOptions;
  isOutputClosed?: () => boolean;
  /** Called with each string that is printed to standard output or standard error. */
  onPrint?: (text: string) => void;
}

/** Runs `worktrack` in this process and collects its output. */
export async function runWords(words: readonly string[], options: RunOptions = {}) {
  const {
    terminal = false,
    width = Number.POSITIVE_INFINITY,
    env = {},
    client,
    onPrint,
    isOutputClosed,
  } = options;
  const output: string[] = [];
  const errors: string[] = [];
  const printTo = (texts: string[]) => (text: string) => {
    texts.push(text);
    onPrint?.(text);
  };
  const code = await runCli(words, {
    env,
    width,
    client,
    isTerminal: terminal,
    ...(isOutputClosed && { isOutputClosed }),
    print: printTo(output),
    write: async (text) => printTo(output)(text),
    printError: printTo(errors),
  });
  return { code, output: output.join('\n'), errors: errors.join('\n') };
}

/** Splits a line into words as a shell would. Only single quotes are supported. */
export const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

/** The result of a command line that is rejected with exit code 2 and the given message. */
export const rejected = (errors: string) => ({ code: 2, output: '', errors });

export interface CommandLineOptions extends Omit<RunOptions, 'env'> {
  token?: string;
  mock?: MockServer;
  /** Environment variables in addition to those for the mock server. */
  env?: NodeJS.ProcessEnv | undefined;
}

/** Runs the CLI against a new mock server. */
export function commandLine(options: CommandLineOptions = {}) {
  const mock = options.mock ?? createMockServer();
  const { baseUrl, token, organization } = mock.clientOptions();
  const env = { WORKTRACK_BASE_URL: baseUrl, WORKTRACK_ORGANIZATION: organization, ...options.env };
  const client = { token: options.token ?? token, fetch: mock.fetch, ...options.client };
  return { mock, run: (...words: string[]) => runWords(words, { ...options, env, client }) };
}
