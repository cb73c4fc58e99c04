import type { Board } from '../../src/contract/index.js';
import { inQuotes } from '../../src/shared/quote.js';
import { addBoard, liveBoard } from '../state/boards.js';
import { projectOf } from '../state/live.js';
import type { BoardRow, ProjectRow } from '../state/rows.js';
import type { State } from '../state/state.js';
import { ticketCount } from '../state/tickets.js';
import { changed, moveToBoard } from './changes.js';
import { requirePermutation } from './permutation.js';
import { invalidField } from './rejected-request.js';
import type { RulesOf } from './rule.js';
import { viewBoard } from './views.js';
import { checkWipLimit, countedTickets, describeTickets } from './wip-limit.js';

export const boardRules: RulesOf<'boards'> = {
  'boards.list': ({ state, project }) => viewBoards(state, project),

  'boards.create'({ state, project, body }) {
    const row = addBoard(state, project.id, body);
    return viewBoard(row, project.boards.length);
  },

  'boards.reorder'({ state, project, body }) {
    const slots = requirePermutation('invalid_board_list', 'board_ids', body.board_ids, {
      expected: project.boards.map((slot) => state.boards.at(slot).id),
      what: 'board in the project',
    }).map((place) => project.boards[place] as number);
    const now = state.clock.iso();
    slots.forEach((slot, index) => {
      if (project.boards[index] === slot) return;
      const board = state.boards.at(slot);
      state.boards.put(board.id, { ...board, updated_at: now });
    });
    const reordered = { ...project, boards: slots };
    state.projects.put(project.id, reordered);
    return viewBoards(state, reordered);
  },

  'boards.update'({ state, board, body }) {
    const row = changed(board, body, state.clock.iso());
    state.boards.put(row.id, row);
    const project = projectOf(state, board);
    return viewBoard(row, project.boards.indexOf(state.boards.slotOf(row.id)));
  },

  'boards.delete'({ state, board, body: { move_to_board_id } }) {
    const project = projectOf(state, board);
    const target = targetOf(state, project, board, move_to_board_id);
    const count = ticketCount(state, board.id);
    const slot = state.boards.slotOf(board.id);
    if (target) {
      checkWipLimit(state, target, countedTickets(state, board), 'move_to_board_id');
      for (const ticket of state.ticketOrder.slice(slot)) {
        moveToBoard(state, state.tickets.at(ticket), target, Number.POSITIVE_INFINITY);
      }
    } else if (count > 0) {
      throw invalidField(
        'target_board_required',
        'move_to_board_id',
        `is required because the board has ${describeTickets(count)}`,
      );
    }
    state.boards.put(board.id, { ...board, deleted_at: state.clock.iso() });
    state.projects.put(project.id, { ...project, boards: project.boards.filter((other) => other !== slot) });
  },
};

const viewBoards = (state: State, project: ProjectRow): Board[] =>
  project.boards.map((slot, index) => viewBoard(state.boards.at(slot), index));

/**
 * Finds the board that receives the deleted board's tickets. It must be another live board in the project.
 */
function targetOf(
  state: State,
  project: ProjectRow,
  board: BoardRow,
  id: string | undefined,
): BoardRow | undefined {
  if (id === undefined) return undefined;
  const target = liveBoard(state, project, id);
  if (target && target.id !== board.id) return target;
  throw invalidField(
    'invalid_target_board',
    'move_to_board_id',
    target ? 'must be a different board' : `${inQuotes(id)} is not a board in this project`,
  );
}
