import { readFileSync } from 'node:fs';
import { type OperationId, operationOf } from '../../../src/contract/index.js';
import type { PageList, Worktrack } from '../../../src/index.js';
import { describeDeletion } from '../../shared/describe-deletion.js';
import { Lookup } from '../../shared/lookup.js';
import { UsageError } from '../command-line.js';
import { createClient } from '../connection.js';
import type { CommandContext } from '../context.js';
import { confirm } from '../terminal/prompt.js';
import { toDateTime } from './dates.js';
import { fieldsOf, positionalsOf, type ReferenceOption, referenceOptionsOf } from './description.js';
import { createFilter, type FilterOptions } from './filters.js';
import type { OperationOptions } from './options.js';
import { createOutput, type Output } from './output.js';

/** Calls an operation with the command's arguments and options, and prints the result. */
export async function runOperation(
  id: OperationId,
  positionals: readonly string[],
  options: OperationOptions,
  context: CommandContext,
): Promise<void> {
  const output = createOutput(options, context);
  const { method, paginated } = operationOf(id);
  const references = referenceOptionsOf(id).filter(({ name }) => options[name] !== undefined);
  checkNulls(options, references);
  const payload = payloadOf(id, options, context);
  if (method === 'PATCH' && Object.keys(payload).length + references.length === 0) {
    throw new UsageError('nothing to update; pass at least one field');
  }
  const client = await createClient(options, context);
  const lookup = new Lookup(client);
  const target = await lookup.target(positionalsOf(id)[0], positionals[0] ?? '');
  for (const { name, field, kind, isList } of references) {
    if (isList) payload[field] = [];
    for (const value of [options[name]].flat()) {
      const found = await lookup.id(kind, String(value), target);
      payload[field] = isList ? [...(payload[field] as string[]), found] : found;
    }
  }
  const filter = await createFilter(id, options as FilterOptions, target, lookup);
  if (method === 'DELETE' && !options.yes) {
    // The prompt and error messages are sanitized when they're printed.
    const reader = { client, lookup, clean: (text: string) => text };
    const board = payload.move_to_board_id as string | undefined;
    await confirmDeletion(await describeDeletion(id, target.id ?? '', reader, board));
  }
  // If a method has no payload, its next parameter is the call options, so an empty object is harmless.
  const input = target.id === undefined ? [payload] : [target.id, payload];
  const call = methodOf(client, id)(...input);
  if (paginated) return printPages(call, options, filter, output, context);
  const result: unknown = await call;
  output.print(filter && Array.isArray(result) ? result.filter(filter) : result);
}

/** Merges field options into the fields from `--data`. Options take precedence. */
function payloadOf(
  id: OperationId,
  options: OperationOptions,
  context: CommandContext,
): Record<string, unknown> {
  const payload = readData(options.data);
  for (const { name, isDate } of fieldsOf(id)) {
    const value = options[name];
    if (value === undefined) continue;
    payload[name] = isDate ? toDateTime(String(value)) : value;
    if (payload[name] !== value && isDate) context.printError(`worktrack: ${name} is ${payload[name]}`);
  }
  for (const name of options.null ?? []) payload[name] = null;
  return payload;
}

function checkNulls(options: OperationOptions, references: readonly ReferenceOption[]): void {
  for (const field of options.null ?? []) {
    const option = references.find((reference) => reference.field === field)?.name ?? field;
    if (options[option] !== undefined) {
      throw new UsageError(`--${option} cannot be combined with --null ${field}`);
    }
  }
}

/** Prints one page, or all records that match the filter. */
async function printPages(
  list: PageList<object>,
  options: OperationOptions,
  filter: ((record: object) => boolean) | undefined,
  output: Output,
  context: CommandContext,
): Promise<void> {
  const hasPage = options.page !== undefined;
  if (!options.all && !filter && (!options.ndjson || hasPage)) {
    const { data, current_page, last_page, total } = await list;
    output.print(data);
    // Omit the note if the user passed `--page` and the output isn't a table.
    if (current_page >= last_page || (hasPage && !output.isTable)) return;
    return output.note(
      `page ${current_page} of ${last_page}, ${total} in total; use --page ${current_page + 1} for the next page, or --all for all pages`,
    );
  }
  const found: object[] = [];
  const count = { read: 0, matching: 0 };
  for await (const { data } of list.pages({ complete: true })) {
    const matching = filter ? data.filter(filter) : data;
    count.read += data.length;
    count.matching += matching.length;
    if (output.printEach) output.printEach(matching);
    else found.push(...matching);
    if (context.isOutputClosed?.()) return;
  }
  if (!output.printEach) output.print(found);
  if (filter)
    output.note(`${count.matching} of ${count.read} match the filters, which the CLI applied to all pages`);
}

/** Parses `--data '{…}'`, or reads standard input for `--data -`. */
function readData(data: string | undefined): Record<string, unknown> {
  if (data === undefined) return {};
  try {
    const value = JSON.parse(data === '-' ? readFileSync(0, 'utf8') : data);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Invalid JSON gets the same error as JSON that isn't an object.
  }
  throw new UsageError('--data must be a JSON object, or "-" to read the object from standard input');
}

type Method = (...input: unknown[]) => PageList<object>;

/** Returns the client method for an operation. The operation ID is the method's path in the client. */
function methodOf(client: Worktrack, id: OperationId): Method {
  const path = id.split('.');
  const name = path.pop() ?? '';
  const resource = path.reduce((node, word) => node[word] as never, client as never as Record<string, never>);
  return (...input) =>
    (resource as Record<string, Method>)[name]?.call(resource, ...input) as ReturnType<Method>;
}

/** @throws UsageError if the user doesn't confirm, or if standard input isn't a terminal */
async function confirmDeletion(deletion: string): Promise<void> {
  if (!process.stdin.isTTY) throw new UsageError(`this would delete ${deletion}; to delete it, pass --yes`);
  if (!(await confirm(`Delete ${deletion}?`))) throw new UsageError('not confirmed; nothing was deleted');
}
