import { table } from '../results/table.js';
import { readNumber, readString } from '../tools/arguments.js';
import { inParallel, type Tool } from '../tools/tool.js';

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
    const found = pages.flatMap(({ data }, index) =>
      data.map((ticket) => ({ ...ticket, project: searched[index]?.key })),
    );
    const heading = `${total} tickets in ${searched.length} of ${all.length} projects`;
    if (found.length === 0) return { heading };
    const { text, shown } = table(found.slice(0, limit), columns);
    const more =
      total > shown
        ? `${shown} shown. To get the rest, use tickets_list with q and a project ID.`
        : undefined;
    return { heading, data: text, hint: more };
  },
};

const columns = ['project', 'number', 'title', 'priority', 'due_at', 'assignees', 'id'];

/** Limits the number of requests, because each project requires one. Archived projects come last. */
const maxProjects = 50;
