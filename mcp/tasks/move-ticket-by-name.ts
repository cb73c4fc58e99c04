import { recordReply } from '../results/data-replies.js';
import { ToolInputError } from '../results/reply.js';
import { readNumber, readString } from '../tools/arguments.js';
import { lookupFor, type Tool } from '../tools/tool.js';

/** Moves a ticket to a board, looking up the ticket by number and the board by name. */
export const moveTicketByName: Tool = {
  name: 'move_ticket_by_name',
  description: 'Move a ticket to a board, given the ticket number and the board name.',
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
    const lookup = lookupFor(call);
    const { id: project } = await lookup.project(readString(args, 'project'));
    const target = await lookup.board(boardName, project);
    const { id } = await lookup.ticketNumber(project, number);
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
