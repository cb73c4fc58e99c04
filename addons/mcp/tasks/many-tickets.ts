import type { OperationId } from '../../../src/contract/index.js';
import { ApiError, type BulkResult, bulk, WorktrackError } from '../../../src/index.js';
import { LookupError } from '../../shared/names.js';
import { errorReply } from '../results/error-reply.js';
import { type Reply, ToolInputError } from '../results/reply.js';
import { table } from '../results/table.js';
import { quote } from '../tools/arguments.js';
import { inputSchemaOf } from '../tools/input-schema.js';
import { payloadOf, withIds } from '../tools/request.js';
import { type Arguments, type JsonSchema, type Tool, type ToolCall, toolNameOf } from '../tools/tool.js';
import { performIfNeeded } from '../tools/write-operation.js';

const maxTickets = 50;

/**
 * Makes the same change to many tickets. Excludes long text fields, because each one must be edited
 * individually.
 */
export const updateManyTickets = manyTool('tickets.update', {
  title: 'Update many tickets',
  description: 'Make the same changes to up to 50 tickets. Shows the outcome for each. Safe to retry.',
  fields: ['priority', 'due_at', 'assignee_ids', 'label_ids', 'archived'],
  concurrency: 4,
});

/** Moves many tickets to a board, one after another, so that the tickets end up in the given order. */
export const moveManyTickets = manyTool('tickets.move', {
  title: 'Move many tickets',
  description: 'Move up to 50 tickets, in this order, to the end of a board. Shows the outcome for each.',
  fields: ['board_id'],
  concurrency: 1,
});

interface ManyOptions {
  title: string;
  description: string;
  /** The fields of the operation that apply to all tickets. */
  fields: readonly string[];
  concurrency: number;
}

function manyTool(operation: OperationId, { title, description, fields, concurrency }: ManyOptions): Tool {
  const { properties, required = [] } = inputSchemaOf(operation);
  const schemas = fields.map((field) => [field, properties[field] as JsonSchema]);
  const tickets = { type: 'array', maxItems: maxTickets, items: { type: 'string' } };
  const name = `${toolNameOf(operation)}_many`;
  return {
    name,
    title,
    description,
    inputSchema: {
      type: 'object',
      properties: { tickets, ...Object.fromEntries(schemas) },
      required: ['tickets', ...required.filter((field) => fields.includes(field))],
      additionalProperties: false,
    },
    annotations: { destructiveHint: operation === 'tickets.update', idempotentHint: true },
    hasRows: true,
    operations: [operation],
    async run({ tickets: references, ...change }, call) {
      return runForEach(name, operation, readTickets(references), change, call, concurrency);
    },
  };
}

function readTickets(value: unknown): string[] {
  const isList =
    Array.isArray(value) && value.every((item) => typeof item === 'string' && item.trim() !== '');
  if (!isList || value.length === 0 || value.length > maxTickets) {
    throw new ToolInputError(`tickets must be a list of 1 to ${maxTickets} tickets (got ${quote(value)})`);
  }
  return [...new Set(value as string[])];
}

async function runForEach(
  name: string,
  operation: OperationId,
  tickets: readonly string[],
  change: Arguments,
  call: ToolCall,
  concurrency: number,
): Promise<Reply> {
  if (Object.keys(change).length === 0)
    throw new ToolInputError('nothing to change; pass at least one field');
  // Check the values once, because an invalid one would fail for each ticket.
  payloadOf(operation, change, call);
  const stop = new AbortController();
  const references = new Map<unknown, string>();
  const perform = async (reference: string): Promise<Performed> => {
    const args = await withIds(operation, { ticket: reference, ...change }, call);
    const sameAs = references.get(args.ticket);
    if (sameAs !== undefined) return { sameAs };
    references.set(args.ticket, reference);
    return performIfNeeded(operation, args, call);
  };
  const { results } = await bulk(
    tickets,
    (ticket) =>
      perform(ticket).catch((error) => {
        if (!concernsOneTicket(error)) stop.abort();
        throw error;
      }),
    {
      concurrency,
      signal: AbortSignal.any([call.signal, stop.signal]),
      onProgress: ({ total }) => call.progress?.(total),
    },
  );
  const rows = tickets.map((ticket, index) => ({ ticket, ...describeResult(results[index]) }));
  const count = (status: Status) => rows.filter((row) => row.status === status).length;
  const counts = statuses.map((status) => [status, count(status)] as const);
  const shown = counts.filter(([status, number]) => number > 0 || status === 'done');
  const outcomes = table(rows, ['ticket', 'title', 'outcome'], { lengths: { outcome: 300 } });
  const cut = rows.length - outcomes.shown;
  const hints = [
    count('not attempted') > 0 &&
      `The tool stopped early. Call it again with the tickets that ${count('failed') > 0 ? 'failed or ' : ''}were not attempted.`,
    cut > 0 && `The last ${cut} tickets were cut off at the size limit. Read them to see their state.`,
  ];
  return {
    heading: `${name}: ${shown.map(([status, number]) => `${number} ${status}`).join(', ')}.`,
    data: [outcomes],
    hint: hints.filter(Boolean).join(' ') || undefined,
    ...(count('done') + count('unchanged') === 0 && { isError: true }),
  };
}

const statuses = ['done', 'unchanged', 'duplicate', 'failed', 'not attempted'] as const;

type Status = (typeof statuses)[number];

/** The result for a ticket. `sameAs` is another of the call's references to the same ticket. */
type Performed = Awaited<ReturnType<typeof performIfNeeded>> | { sameAs: string };

type Result = BulkResult<string, Performed> | undefined;

function describeResult(result: Result): { status: Status; title?: unknown; outcome: string } {
  if (!result) return { status: 'not attempted', outcome: 'not attempted' };
  if (result.ok) {
    if ('sameAs' in result.value)
      return { status: 'duplicate', outcome: `duplicate: same ticket as ${result.value.sameAs}` };
    const { record, isUnchanged } = result.value;
    const status = isUnchanged ? 'unchanged' : 'done';
    return { status, title: record.title, outcome: status };
  }
  if (result.error instanceof WorktrackError && result.error.outcome === 'done')
    return { status: 'done', outcome: "done, but the response couldn't be read" };
  return { status: 'failed', outcome: describeFailure(result.error) };
}

/**
 * Whether an error concerns only one ticket. After a credential or connection error, the other tickets would
 * also fail.
 */
const concernsOneTicket = (error: unknown): boolean =>
  error instanceof LookupError || (error instanceof ApiError && [403, 404, 409, 422].includes(error.status));

/** Describes the failure and whether the ticket was changed, without the tool's name. */
function describeFailure(error: unknown): string {
  const { heading, data } = errorReply('', error, new Set(['tickets_get']));
  return [heading.replace(/^(?: failed)?: /, 'failed: '), data?.[0]?.text].filter(Boolean).join(' ');
}
