import type { Analytics, Ticket } from '../../../src/index.js';
import { headed, type Part, textPart } from '../results/reply.js';
import { cell, table, withState } from '../results/table.js';
import { readNumber, readString } from '../tools/arguments.js';
import type { Tool } from '../tools/tool.js';

/** Summarizes a project's current state and its activity over the past seven days. */
export const weeklySummary: Tool = {
  name: 'weekly_summary',
  description:
    'Summarize a project: totals, boards, overdue tickets, and tickets created, done, or due within 7 days.',
  inputSchema: {
    type: 'object',
    properties: { project: { type: 'string' }, page: { type: 'integer', minimum: 1 } },
    required: ['project'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true },
  operations: ['projects.list', 'projects.analytics.get', 'tickets.list'],
  async run(args, call) {
    const { client, signal } = call;
    const page = readNumber(args, 'page', 1) ?? 1;
    const { id } = await call.lookup.project(readString(args, 'project'));
    const list = client.tickets.list(id, { per_page: 200 }, { signal });
    const [analytics, tickets] = await Promise.all([
      client.projects.analytics.get(id, { signal }),
      list.toArray({ limit: maxTickets }),
    ]);
    const now = call.now();
    const open = tickets.filter(({ archived_at }) => archived_at === null);
    const sections = lists(open, now);
    const parts = [totals(analytics), boards(analytics), ...sections.map((section) => part(section, page))];
    const hints = [
      open.length < tickets.length &&
        `${tickets.length - open.length} archived tickets are omitted from the lists.`,
      tickets.length === maxTickets && `The lists cover only the first ${maxTickets} tickets.`,
      sections.some(({ tickets }) => tickets.length > page * perPage) && `More: page=${page + 1}`,
    ];
    return {
      heading: `Project ${cell('id', id)}, last 7 days as of ${new Date(now).toISOString().slice(0, 16)}Z`,
      data: parts,
      hint: hints.filter(Boolean).join(' ') || undefined,
    };
  },
};

/**
 * The maximum number of tickets to read: ten pages of 200. The API calculates the totals, so this limit
 * doesn't affect them.
 */
const maxTickets = 2000;

const totals = ({ total, done, open, overdue, completion_percentage }: Analytics): Part =>
  textPart(`${done} of ${total} tickets done (${completion_percentage}%), ${open} open, ${overdue} overdue`);

const boards = ({ by_board }: Analytics): Part => table(by_board as never, ['board_name', 'count', 'done']);

/** A list in the summary, and the date field that determines which tickets it contains. */
interface Section {
  name: string;
  date: 'completed_at' | 'created_at' | 'due_at';
  tickets: readonly Ticket[];
}

function lists(tickets: readonly Ticket[], now: number): Section[] {
  const week = 7 * 24 * 60 * 60 * 1000;
  // Allow for a small difference between the server's clock and the local clock.
  const soon = now + 60 * 60 * 1000;
  const open = tickets.filter((ticket) => ticket.completed_at === null);
  const sections = [
    ['Done', 'completed_at', tickets, now - week, soon],
    ['Created', 'created_at', tickets, now - week, soon],
    ['Overdue', 'due_at', open, 0, now],
    ['Due soon', 'due_at', open, now, now + week],
  ] as const;
  return sections.map(([name, date, list, from, to]) => {
    // The comparisons fail if the ticket has no such date.
    const isWithin = (time: number) => time >= from && time < to;
    return { name, date, tickets: list.filter((ticket) => isWithin(Date.parse(ticket[date] ?? ''))) };
  });
}

const perPage = 10;

function part({ name, tickets, date }: Section, page: number): Part {
  const from = (page - 1) * perPage;
  const { rows, fields } = withState(tickets.slice(from, from + perPage) as never, [
    'number',
    'title',
    date,
    'assignees',
    'id',
  ]);
  if (rows.length === 0) return headed(`[${name}: ${tickets.length}]`);
  const range = tickets.length > perPage ? `, ${from + 1}-${from + rows.length}` : '';
  return headed(`[${name}: ${tickets.length}${range}]`, table(rows, fields));
}
