import { PermissionDeniedError, type Ticket } from '../../src/index.js';
import { table, withState } from '../results/table.js';
import { readNumber, readString } from '../tools/arguments.js';
import { inParallel, type Tool, type ToolCall } from '../tools/tool.js';

/** Searches for tickets in all projects. */
export const findTickets: Tool = {
  name: 'find_tickets',
  description: 'Search titles and descriptions of tickets in all projects. Returns at most limit rows.',
  inputSchema: {
    type: 'object',
    properties: {
      q: { type: 'string' },
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    },
    required: ['q'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true },
  operations: ['projects.list', 'tickets.list'],
  async run(args, call) {
    const { client, signal } = call;
    const q = readString(args, 'q');
    const limit = readNumber(args, 'limit', 1, 100) ?? 20;
    const all = await client.projects.list({ signal });
    const projects = [...all].sort((a, b) => Number(a.archived_at !== null) - Number(b.archived_at !== null));
    const searched = projects.slice(0, maxProjects);
    const pages = await inParallel(searched, ({ id }) =>
      client.tickets.list(id, { q, per_page: limit }, { signal }),
    );
    const total = pages.reduce((sum, page) => sum + page.total, 0);
    const hits = pages.flatMap(({ data }, index) =>
      data.map((ticket) => ({ ...ticket, project: searched[index]?.key })),
    );
    const boards = await boardNames(hits.slice(0, limit), call);
    const found = hits.map((ticket) => ({
      ...ticket,
      board: boards?.get(ticket.board_id) ?? ticket.board_id,
    }));
    const heading = `${total} tickets in ${searched.length} of ${all.length} projects`;
    if (found.length === 0) return { heading };
    const { rows, fields } = withState(found.slice(0, limit), columns);
    const { text, shown } = table(rows, fields);
    const hints = [
      total > shown && `${shown} shown. To get the rest, use tickets_list with q and a project ID.`,
      !boards && 'Boards are shown by ID, because the credential lacks the scope boards:read.',
    ].filter((hint) => hint !== false);
    return { heading, data: text, hint: hints.join(' ') || undefined };
  },
};

const columns = ['project', 'number', 'title', 'board', 'priority', 'due_at', 'assignees', 'id'];

/** Returns the names of the tickets' boards by ID, or undefined if the credential can't read boards. */
async function boardNames(
  tickets: readonly Ticket[],
  { client, signal }: ToolCall,
): Promise<Map<string, string> | undefined> {
  const projects = [...new Set(tickets.map(({ project_id }) => project_id))];
  try {
    const lists = await inParallel(projects, (project) => client.boards.list(project, { signal }));
    return new Map(lists.flat().map(({ id, name }) => [id, name]));
  } catch (error) {
    if (error instanceof PermissionDeniedError) return undefined;
    throw error;
  }
}

/** Limits the number of requests, because each project requires one. Archived projects come last. */
const maxProjects = 50;
