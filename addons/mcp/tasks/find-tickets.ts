import type { Project, Ticket } from '../../../src/index.js';
import { counted, ifAllowed } from '../../../src/internal.js';
import { LookupError } from '../../shared/names.js';
import type { TicketConditions } from '../../shared/ticket-filter.js';
import { ToolInputError } from '../results/reply.js';
import { table, withState } from '../results/table.js';
import { readNumber, readString } from '../tools/arguments.js';
import {
  describeRead,
  filterSchemas,
  type MatchingTickets,
  newBudget,
  readConditions,
  readMatching,
} from '../tools/ticket-filters.js';
import { inParallel, type Tool, type ToolCall } from '../tools/tool.js';

/** Searches for tickets in all projects. */
export const findTickets: Tool = {
  name: 'find_tickets',
  description: 'Find tickets in all projects by text in titles and descriptions (q), filters, or both.',
  inputSchema: {
    type: 'object',
    properties: {
      q: { type: 'string' },
      ...filterSchemas,
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    },
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true },
  hasRows: true,
  operations: ['projects.list', 'tickets.list'],
  async run(args, call) {
    const conditions = readConditions(args);
    if (args.q === undefined && !conditions) throw new ToolInputError('pass q or at least one filter');
    const q = args.q === undefined ? undefined : readString(args, 'q');
    const limit = readNumber(args, 'limit', 1, 100) ?? 20;
    const all = await call.client.projects.list({ signal: call.signal });
    const projects = [...all].sort((a, b) => Number(Boolean(a.archived_at)) - Number(Boolean(b.archived_at)));
    const searched = projects.slice(0, maxProjects);
    const pages = conditions
      ? await filtered(searched, q, conditions, call)
      : await inParallel(
          searched,
          async ({ id }) => {
            const query = { q, per_page: limit };
            const { data, total } = await call.client.tickets.list(id, query, { signal: call.signal });
            return { tickets: data, total };
          },
          call,
        );
    const total = pages.reduce((sum, page) => sum + page.total, 0);
    const hits = pages
      .flatMap(({ tickets }, index) =>
        tickets.map((ticket) => ({ ...ticket, project: searched[index]?.key })),
      )
      .slice(0, limit);
    const boards = await boardNames(hits, call);
    const found = hits.map((ticket) => ({
      ...ticket,
      board: boards?.get(ticket.board_id) ?? ticket.board_id,
    }));
    const note = conditions ? `. ${describeRead(sumOf(pages as FilteredPage[]))}` : '';
    const heading = `${counted(total, 'ticket')} in ${searched.length} of ${counted(all.length, 'project')}${note}`;
    const others = all.length - searched.length;
    const unsearched =
      others > 0 &&
      `To search the other ${others === 1 ? 'project' : `${others} projects`}, use tickets_list.`;
    if (found.length === 0) return { heading, hint: unsearched || undefined };
    const { rows, fields } = withState(found, columns);
    const listed = table(rows, fields);
    const hints = [
      total > listed.shown &&
        `${listed.shown} shown. To get the rest, use tickets_list with a project and the same q and filters.`,
      unsearched,
      !boards && 'Boards are shown by ID, because the credential lacks the boards:read scope.',
    ].filter((hint) => hint !== false);
    return { heading, data: [listed], hint: hints.join(' ') || undefined };
  },
};

const columns = ['project', 'number', 'title', 'board', 'priority', 'due_at', 'assignees', 'id'];

interface FilteredPage extends MatchingTickets {
  total: number;
}

/** Applies the filters in every project. A project without the member or label has no matches. */
async function filtered(
  projects: readonly Project[],
  q: string | undefined,
  conditions: TicketConditions,
  call: ToolCall,
): Promise<FilteredPage[]> {
  const budget = newBudget();
  const misses: LookupError[] = [];
  const pages = await inParallel(projects, async ({ id }): Promise<FilteredPage> => {
    try {
      const found = await readMatching(id, q === undefined ? {} : { q }, conditions, call, budget);
      return { ...found, total: found.tickets.length };
    } catch (error) {
      if (!(error instanceof LookupError) || error.reason !== 'unknown') throw error;
      misses.push(error);
      return { tickets: [], total: 0, read: 0, isComplete: true };
    }
  });
  const [miss] = misses;
  if (miss && misses.length === projects.length) throw miss;
  return pages;
}

const sumOf = (pages: readonly FilteredPage[]) => ({
  read: pages.reduce((sum, { read }) => sum + read, 0),
  isComplete: pages.every(({ isComplete }) => isComplete),
});

/** Returns the names of the tickets' boards by ID, or undefined if the credential can't read boards. */
async function boardNames(
  tickets: readonly Ticket[],
  { client, signal }: ToolCall,
): Promise<Map<string, string> | undefined> {
  const projects = [...new Set(tickets.map(({ project_id }) => project_id))];
  const lists = await ifAllowed(inParallel(projects, (project) => client.boards.list(project, { signal })));
  return lists && new Map(lists.flat().map(({ id, name }) => [id, name]));
}

/**
 * The maximum number of projects to search, because each project requires a request. Archived projects come
 * last.
 */
const maxProjects = 50;
