import type { Board, Ticket } from '../../../src/index.js';
import { counted } from '../../../src/internal.js';
import { headed, type Part } from '../results/reply.js';
import { cell, table, withState } from '../results/table.js';
import { readNumber, readString } from '../tools/arguments.js';
import { inParallel, type Tool } from '../tools/tool.js';

/** Shows a project's boards with their ticket counts, WIP limits, and first tickets. */
export const boardOverview: Tool = {
  name: 'board_overview',
  description: "Get an overview of a project's boards: ticket counts, WIP limits, and first tickets.",
  inputSchema: {
    type: 'object',
    properties: {
      project: { type: 'string' },
      tickets_per_board: { type: 'integer', minimum: 1, maximum: 20, default: 5 },
    },
    required: ['project'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true },
  operations: ['projects.list', 'boards.list', 'tickets.list'],
  async run(args, call) {
    const { client, signal } = call;
    const perBoard = readNumber(args, 'tickets_per_board', 1, 20) ?? 5;
    const { id } = await call.lookup.project(readString(args, 'project'));
    const boards = await client.boards.list(id, { signal });
    const shown = boards.slice(0, maxBoards);
    const pages = await inParallel(
      shown,
      (board) => client.tickets.list(id, { board_id: board.id, per_page: perBoard }, { signal }),
      call,
    );
    const parts = shown.map((board, index) =>
      section(board, pages[index]?.data ?? [], pages[index]?.total ?? 0),
    );
    const hidden = boards.length - shown.length;
    const hints = [
      hidden > 0 && `${counted(hidden, 'more board')}; use boards_list with page=2`,
      pages.some(({ total }) => total > perBoard) &&
        'To get the other tickets on a board, use tickets_list with its board_id.',
    ];
    return {
      heading: `${counted(boards.length, 'board')} of project ${cell('id', id)}`,
      data: parts,
      hint: hints.filter(Boolean).join('. ') || undefined,
    };
  },
};

/** The maximum number of boards to show, because each board requires a request. */
const maxBoards = 20;

const columns = ['number', 'title', 'priority', 'due_at', 'assignees', 'id'];

function section(
  { id, name, wip_limit, is_done, is_hidden }: Board,
  tickets: readonly Ticket[],
  total: number,
): Part {
  const limit = wip_limit === null ? '' : ` of at most ${wip_limit}`;
  const marks = [is_done && 'done', is_hidden && 'hidden'].filter(Boolean).map((mark) => `, ${mark}`);
  const heading = `[board ${cell('name', name)} | ${cell('id', id)}] ${total}${limit} tickets${marks.join('')}`;
  if (tickets.length === 0) return headed(heading);
  const { rows: marked, fields } = withState(tickets as never, columns);
  return headed(heading, table(marked, fields));
}
