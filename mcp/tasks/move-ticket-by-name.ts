import type { Board, Ticket } from '../../src/index.js';
import { recordReply } from '../results/data-replies.js';
import { ToolInputError } from '../results/reply.js';
import { findProject, quote, readNumber, readString } from '../tools/arguments.js';
import type { Tool, ToolCall } from '../tools/tool.js';

/** Moves a ticket to a board, looking up the ticket by number and the board by name. */
export const moveTicketByName: Tool = {
  name: 'move_ticket_by_name',
  description:
    'Move a ticket to a board, given the ticket number and the board name. project: ID, key, or name.',
  inputSchema: {
    type: 'object',
    properties: {
      project: { type: 'string' },
      number: { type: 'integer', minimum: 1 },
      board: { type: 'string' },
      position: { type: 'integer', minimum: 0 },
    },
    required: ['project', 'number', 'board'],
    additionalProperties: false,
  },
  annotations: { destructiveHint: false, idempotentHint: true },
  operations: ['projects.list', 'boards.list', 'tickets.list', 'tickets.move'],
  async run(args, call) {
    const { client, signal } = call;
    const number = readNumber(args, 'number', 1);
    if (number === undefined) throw new ToolInputError('number must be a positive integer');
    const position = readNumber(args, 'position', 0);
    const boardName = readString(args, 'board');
    const { id: project } = await findProject(readString(args, 'project'), call);
    const target = findBoard(boardName, await client.boards.list(project, { signal }));
    const { id } = await findTicket(project, number, call);
    const moved = await client.tickets.move(id, { board_id: target.id, position }, { signal });
    const { title, board_id, position: place } = moved;
    return recordReply('move_ticket_by_name: done.', {
      id,
      number,
      title,
      board: target.name,
      board_id,
      position: place,
    });
  },
};

function findBoard(idOrName: string, boards: readonly Board[]): Board {
  const text = idOrName.toLowerCase();
  const byId = boards.filter(({ id, slug }) => id === idOrName || slug === text);
  const [first, ...others] =
    byId.length > 0 ? byId : boards.filter(({ name }) => name.toLowerCase() === text);
  if (!first) throw new ToolInputError(`the project has no board named ${quote(idOrName)}; see boards_list`);
  if (others.length > 0) {
    throw new ToolInputError(
      `${others.length + 1} boards are named ${quote(idOrName)}; pass the ID from boards_list`,
    );
  }
  return first;
}

async function findTicket(project: string, number: number, { client, signal }: ToolCall): Promise<Ticket> {
  let checked = 0;
  for await (const ticket of client.tickets.list(project, { per_page: 200 }, { signal })) {
    if (ticket.number === number) return ticket;
    checked += 1;
    if (checked === maxTickets) break;
  }
  throw new ToolInputError(
    checked === maxTickets
      ? `ticket ${number} isn't among the first ${maxTickets}; get its ID from tickets_list and use tickets_move`
      : `the project has no ticket number ${number}`,
  );
}

/** The API can't look up tickets by number, so the tool searches up to 25 pages of 200 tickets. */
const maxTickets = 5000;
