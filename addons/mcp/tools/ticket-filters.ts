import { priorities, type Ticket } from '../../../src/contract/index.js';
import { IncompleteListError } from '../../../src/index.js';
import type { Target } from '../../shared/lookup.js';
import { createTicketFilter, type TicketConditions } from '../../shared/ticket-filter.js';
import { ToolInputError } from '../results/reply.js';
import { quote, readBoolean, readChoice, readString } from './arguments.js';
import type { Arguments, JsonSchema, ToolCall } from './tool.js';

/** The arguments for filters that the API doesn't support. */
export const filterSchemas: Readonly<Record<string, JsonSchema>> = {
  assignee: { type: 'string' },
  label: { type: 'string' },
  priority: { type: 'string', enum: priorities },
  due_before: { type: 'string', format: 'date-time' },
  done: { type: 'boolean' },
  archived: { type: 'boolean' },
};

/** Reads the filter arguments. Returns undefined if none is set. */
export function readConditions(args: Arguments): TicketConditions | undefined {
  if (!Object.keys(filterSchemas).some((name) => args[name] !== undefined)) return undefined;
  const list = (name: string) => (args[name] === undefined ? undefined : [readString(args, name)]);
  const due = args.due_before === undefined ? undefined : Date.parse(readString(args, 'due_before'));
  if (Number.isNaN(due)) {
    throw new ToolInputError(`due_before must be an RFC 3339 date-time (got ${quote(args.due_before)})`);
  }
  return {
    assignee: list('assignee'),
    label: list('label'),
    priority: readChoice(args, 'priority', priorities),
    dueBefore: due,
    done: readBoolean(args, 'done'),
    archived: readBoolean(args, 'archived'),
  };
}

/** The tickets that match the filters, and the number of tickets that were read. */
export interface MatchingTickets {
  tickets: Ticket[];
  read: number;
  /** Whether the entire list was read. */
  isComplete: boolean;
}

/** The number of tickets and the time that a tool call has left. Several lists can share one budget. */
export interface ReadBudget {
  tickets: number;
  /** When to stop, as a `performance.now()` timestamp. */
  until: number;
}

/** Allows up to 25 pages of 200 tickets, and half of a call's time limit. */
export const newBudget = (): ReadBudget => ({ tickets: 5000, until: performance.now() + 25_000 });

/** Reads all of a project's tickets, or as many as the budget allows, and applies the filters. */
export async function readMatching(
  project: string,
  query: { board_id?: string; q?: string },
  conditions: TicketConditions,
  call: ToolCall,
  budget: ReadBudget,
): Promise<MatchingTickets> {
  const target: Target = { id: project, project: async () => project };
  const matches = await createTicketFilter(conditions, target, call.lookup);
  const result: MatchingTickets = { tickets: [], read: 0, isComplete: false };
  const isUsedUp = () => budget.tickets <= 0 || performance.now() > budget.until;
  if (isUsedUp()) return result;
  try {
    const list = call.client.tickets.list(project, query, { signal: call.signal });
    for await (const { data } of list.pages({ complete: true })) {
      result.tickets.push(...data.filter(matches));
      result.read += data.length;
      budget.tickets -= data.length;
      call.progress?.();
      if (isUsedUp()) return result;
    }
  } catch (error) {
    // The list kept changing while it was being read, so return an incomplete result.
    if (error instanceof IncompleteListError) return result;
    throw error;
  }
  return { ...result, isComplete: true };
}

/** States how the filters were applied, and whether the result is complete. */
export function describeRead({ read, isComplete }: Omit<MatchingTickets, 'tickets'>): string {
  return isComplete
    ? `The filters were applied to all ${read} tickets.`
    : `INCOMPLETE: the filters were applied to only ${read} tickets, and there may be more matches. To narrow the search, pass q, or board_id for tickets_list.`;
}
