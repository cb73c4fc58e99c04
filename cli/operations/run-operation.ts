import { readFileSync } from 'node:fs';
import { type OperationId, operationOf } from '../../src/contract/index.js';
import { type ClientOptions, Worktrack } from '../../src/index.js';
import { askToken } from '../ask-token.js';
import { type ConnectionOptions, connectionOf, toUsageError } from '../connection-options.js';
import type { CommandContext } from '../context.js';
import { formatTable } from '../terminal/table.js';
import { toSafeJson } from '../terminal/text.js';
import { UsageError } from '../usage-error.js';
import { fieldsOf } from './description.js';
import type { OperationOptions } from './options.js';

/** Calls an operation with the command's arguments and options, and prints the result. */
export async function runOperation(
  id: OperationId,
  positionals: readonly string[],
  options: OperationOptions,
  context: CommandContext,
): Promise<void> {
  const payload = payloadOf(id, options);
  const method = methodOf(await createClient(options, context), id);
  // Methods without a payload take call options instead, and an empty object sets none.
  const call = method(...positionals, payload);
  const asTable = context.isTerminal && !options.json;
  const print = (result: unknown) => {
    if (asTable) context.print(formatTable(result, context.width));
    else if (result !== undefined) context.print(toSafeJson(result, context.isTerminal ? 2 : 0));
  };
  if (!operationOf(id).paginated) return print(await call);
  if (options.all) return print(await collect(call));
  const page = (await call) as Page;
  print(page.data);
  if (page.current_page >= page.last_page) return;
  const note = `page ${page.current_page} of ${page.last_page}, ${page.total} in total; use --page ${page.current_page + 1} for the next page, or --all for all pages`;
  if (asTable) context.print(`(${note})`);
  // In a pipe, standard output must be valid JSON. Users who pass `--page` don't need the note.
  else if (payload.page === undefined) context.printError(`worktrack: ${note}`);
}

/** Merges field options into the fields from `--data`. Options take precedence. */
function payloadOf(id: OperationId, options: OperationOptions): Record<string, unknown> {
  const names = fieldsOf(id).map(({ name }) => name);
  const nulls = (options.null ?? []).map((name) => [name, null]);
  const fromOptions = names
    .filter((name) => options[name] !== undefined)
    .map((name) => [name, options[name]]);
  return { ...readData(options.data), ...Object.fromEntries([...fromOptions, ...nulls]) };
}

/** Parses `--data '{…}'`, or reads standard input for `--data -`. */
function readData(data: string | undefined): Record<string, unknown> {
  if (data === undefined) return {};
  try {
    const value = JSON.parse(data === '-' ? readFileSync(0, 'utf8') : data);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Report invalid JSON with the same error as JSON that isn't an object.
  }
  throw new UsageError('--data must be a JSON object, or "-" to read one from standard input');
}

/** Creates a client from command options. Prompts for the token if it isn't in the environment. */
export async function createClient(
  flags: ConnectionOptions,
  context: CommandContext,
  further: Pick<ClientOptions, 'throttle'> = {},
): Promise<Worktrack> {
  const { env, client } = context;
  // Log messages can contain server data, so print them through the context, which strips control characters.
  const log = (message: string) => context.printError(message);
  const options = {
    ...further,
    ...connectionOf(flags, env),
    logger: { debug: log, info: log, warn: log, error: log },
  };
  try {
    if (client) return new Worktrack({ ...options, ...client });
    // Report invalid options before prompting for the token.
    new Worktrack({ ...options, token: 'unknown yet' });
  } catch (error) {
    throw toUsageError(error as Error, flags);
  }
  return new Worktrack({ ...options, token: await askToken(env) });
}

type Method = (...input: unknown[]) => PromiseLike<unknown> & AsyncIterable<unknown>;

/** Returns the client method for an operation. The operation ID is the method's path in the client. */
function methodOf(client: Worktrack, id: OperationId): Method {
  const path = id.split('.');
  const name = path.pop() ?? '';
  const resource = path.reduce((node, word) => node[word] as never, client as never as Record<string, never>);
  return (...input) =>
    (resource as Record<string, Method>)[name]?.call(resource, ...input) as ReturnType<Method>;
}

interface Page {
  data: unknown[];
  current_page: number;
  last_page: number;
  total: number;
}

async function collect(list: AsyncIterable<unknown>): Promise<unknown[]> {
  const items = [];
  for await (const item of list) items.push(item);
  return items;
}
