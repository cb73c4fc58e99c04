import type { Analytics, Ticket } from '../../src/index.js';
import { cell, table } from '../results/table.js';
import { readString } from '../tools/arguments.js';
import { lookupFor, type Tool } from '../tools/tool.js';

/** Summarizes a project's current state and its activity over the past seven days. */
export const weeklySummary: Tool = {
  name: 'weekly_summary',
  description:
    'Summarize a project: totals, boards, overdue tickets, and tickets created, done, or due within 7 days. project: ID, key, or name.',
  inputSchema: {
    type: 'object',
    properties: { project: { type: 'string' } },
    required: ['project'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true },
  operations: ['projects.list', 'projects.analytics.get', 'tickets.list'],
  async run(args, call) {
    const { client, signal } = call;
    const { id } = await lookupFor(call).project(readString(args, 'project'));
    const list = client.tickets.list(id, { per_page: 200 }, { signal });
    const [analytics, tickets] = await Promise.all([
      client.projects.analytics.get(id, { signal }),
      list.toArray({ limit: maxTickets }),
    ]);
    const now = call.now();
    const parts = [totals(analytics), boards(analytics), ...lists(tickets, now)];
    return {
      heading: `Project ${cell('id', id)}, last 7 days as of ${new Date(now).toISOString().slice(0, 16)}Z`,
      data: parts.join('\n\n'),
      hint:
        tickets.length === maxTickets ? `The lists cover only the first ${maxTickets} tickets.` : undefined,
    };
  },
};

/** Ten pages of 200 tickets. The API calculates the totals, so this limit doesn't affect them. */
const maxTickets = 2000;

const totals = ({ total, done, open, overdue, completion_percentage }: Analytics): string =>
  `${done} of ${total} tickets done (${completion_percentage}%), ${open} open, ${overdue} overdue`;

const boards = ({ by_board }: Analytics): string =>
  table(by_board as never, ['board_name', 'count', 'done']).text;

function lists(tickets: readonly Ticket[], now: number): string[] {
  const week = 7 * 24 * 60 * 60 * 1000;
  const within = (date: string | null, from: number, to: number) =>
    date !== null && Date.parse(date) >= from && Date.parse(date) < to;
  const isOpen = (ticket: Ticket) => ticket.completed_at === null;
  // Allows for a small difference between the server's clock and this machine's.
  const soon = now + 60 * 60 * 1000;
  return [
    part(
      'Done',
      tickets.filter(({ completed_at }) => within(completed_at, now - week, soon)),
      'completed_at',
    ),
    part(
      'Created',
      tickets.filter(({ created_at }) => within(created_at, now - week, soon)),
      'created_at',
    ),
    part(
      'Overdue',
      tickets.filter((ticket) => isOpen(ticket) && within(ticket.due_at, 0, now)),
      'due_at',
    ),
    part(
      'Due soon',
      tickets.filter((ticket) => isOpen(ticket) && within(ticket.due_at, now, now + week)),
      'due_at',
    ),
  ];
}

function part(name: string, tickets: readonly Ticket[], date: string): string {
  if (tickets.length === 0) return `[${name}: 0]`;
  const rows = table(tickets.slice(0, 10) as never, ['number', 'title', date, 'assignees', 'id']).text;
  return `[${name}: ${tickets.length}${tickets.length > 10 ? ', first 10' : ''}]\n${rows}`;
}
