import { readFileSync } from 'node:fs';
import { type OperationId, operationOf } from '../../src/contract/index.js';
import { type ClientOptions, Worktrack } from '../../src/index.js';
import { UsageError } from '../usage-error.js';
import { type Reading, readArguments } from './arguments.js';
import { askToken } from './ask-token.js';
import { namespaces, positionalsOf } from './description.js';
import { exitCodeOf } from './exit-code.js';
import { namespaceUsage, operationUsage } from './help.js';
import { table } from './print.js';

/** Where a command gets things from and prints to; a test has its own. */
export interface Surroundings {
  env: NodeJS.ProcessEnv;
  /** Whether a person reads the output. */
  terminal: boolean;
  /** Columns that the terminal has. */
  width?: number;
  print(text: string): void;
  printError(text: string): void;
  client?: ClientOptions;
}

/** Carries out `worktrack tickets list …`, or `tickets.list …`; returns the exit code. */
export async function operationCommand(
  [first = '', ...more]: readonly string[],
  around = ofProcess,
): Promise<number> {
  // An operation is named by its id everywhere: `tickets.list` is `tickets list`.
  const words = [...first.split('.'), ...more];
  const wantsHelp = words.some((word) => word === '--help' || word === '-h');
  const id = operationIn(words);
  if (!id) {
    const usage = namespaceUsage(words[0] ?? '');
    const said = words.filter((word) => !word.startsWith('-')).join(' ');
    if (!wantsHelp) throw new UsageError(`there is no operation ${JSON.stringify(said)}\n\n${usage}`);
    around.print(usage);
    return 0;
  }
  if (wantsHelp) {
    around.print(operationUsage(id));
    return 0;
  }
  try {
    await carryOut(id, words.slice(id.split('.').length), around);
    return 0;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // The client's option has another name here.
    around.printError(message.replace('set allowPlainHttp', 'give --allow-plain-http'));
    return exitCodeOf(error);
  }
}

const ofProcess: Surroundings = {
  env: process.env,
  terminal: process.stdout.isTTY === true,
  width: process.stdout.columns ?? Number.POSITIVE_INFINITY,
  print: (text) => console.log(text),
  printError: (text) => console.error(`worktrack: ${text}`),
};

/** The longest id that the words begin with: `projects members list` is no `projects.…` of another kind. */
function operationIn(words: readonly string[]): OperationId | undefined {
  const [first = ''] = words;
  return namespaces
    .get(first)
    ?.filter((id) => id.split('.').every((word, index) => word === words[index]))
    .sort((a, b) => b.length - a.length)[0];
}

type Method = (...input: unknown[]) => PromiseLike<unknown> & AsyncIterable<unknown>;

async function carryOut(id: OperationId, args: readonly string[], around: Surroundings): Promise<void> {
  const reading = readArguments(id, args, () => readFileSync(0, 'utf8'));
  const client = await clientFor(reading, around);
  // The id is the method's path in the client.
  const path = id.split('.');
  const owner = path
    .slice(0, -1)
    .reduce((node, name) => node[name] as never, client as never as Record<string, never>);
  const method = (owner as Record<string, Method>)[path.at(-1) ?? ''];
  if (!method) throw new Error(`${id}: the client has no such method`);
  const asTable = around.terminal && !reading.json;
  const show = (result: unknown) => {
    if (asTable) around.print(table(result, around.width));
    else if (result !== undefined) around.print(JSON.stringify(result, null, around.terminal ? 2 : 0));
  };
  const payload = reading.payload === undefined ? [] : [reading.payload];
  const call = method.call(owner, ...reading.positionals.slice(0, positionalsOf(id).length), ...payload);
  if (!operationOf(id).paginated) show(await call);
  else if (reading.all) show(await itemsOf(call));
  else {
    const { data, current_page, last_page, total } = (await call) as Page;
    show(data);
    if (current_page < last_page) {
      const next = `--page ${current_page + 1} prints the next, --all prints all`;
      const note = `page ${current_page} of ${last_page}, ${total} in all; ${next}`;
      if (asTable) around.print(`(${note})`);
      // What is piped on must stay JSON; whoever named a page knows that there are others.
      else if (reading.payload?.page === undefined) around.printError(note);
    }
  }
}

async function clientFor(reading: Reading, { env, client }: Surroundings): Promise<Worktrack> {
  const options = {
    // Set to nothing is not set.
    baseUrl: reading.baseUrl ?? (env.WORKTRACK_BASE_URL || undefined),
    organization: reading.organization ?? (env.WORKTRACK_ORGANIZATION || undefined),
    allowPlainHttp: reading.allowPlainHttp,
  };
  if (client) return new Worktrack({ ...options, ...client });
  // So that nobody is asked for a token for a client that cannot be.
  new Worktrack({ ...options, token: 'not asked for yet' });
  return new Worktrack({ ...options, token: await askToken(env) });
}

interface Page {
  data: unknown[];
  current_page: number;
  last_page: number;
  total: number;
}

async function itemsOf(list: AsyncIterable<unknown>): Promise<unknown[]> {
  const items = [];
  for await (const item of list) items.push(item);
  return items;
}
