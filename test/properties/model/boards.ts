import {
  change,
  instant,
  liveBoard,
  type ModelRulesOf,
  projectOf,
  Rejected,
  rejectIf,
  sameItems,
} from './rule.js';
import type { Model, ModelBoard } from './state.js';
import { addToBoard, isFull } from './tickets.js';

export const boardModel: ModelRulesOf<'boards'> = {
  'boards.list': ({ model, ids }) => listed(model, ids.project),

  'boards.create'({ model, ids, body, actual }) {
    const { name, color = null, wip_limit = null, is_done = false } = body;
    const project = projectOf(model, ids.project);
    model.boards.set(actual.id, {
      deleted: false,
      tickets: [],
      fields: {
        id: actual.id,
        project_id: ids.project,
        name,
        slug: slugOf(model, project.boards, name),
        color,
        wip_limit,
        is_done,
        is_hidden: false,
        created_at: instant(model),
        updated_at: instant(model),
      },
    });
    project.boards.push(actual.id);
    return listed(model, ids.project).at(-1);
  },

  'boards.reorder'({ model, ids, body }) {
    const project = projectOf(model, ids.project);
    const order: string[] = body.board_ids ?? [];
    rejectIf({ invalid_board_list: !sameItems(order, project.boards) });
    order.forEach((id, index) => {
      if (project.boards[index] !== id) boardOf(model, id).fields.updated_at = instant(model);
    });
    project.boards = [...order];
    return listed(model, ids.project);
  },

  'boards.update'({ model, ids, body }) {
    const board = boardOf(model, ids.board);
    const { name, color, wip_limit, is_done, is_hidden } = body;
    change(model, board.fields, { name, color, wip_limit, is_done, is_hidden });
    return listed(model, board.fields.project_id).find(({ id }) => id === ids.board);
  },

  'boards.delete'({ model, ids, body }) {
    const board = boardOf(model, ids.board);
    const project = projectOf(model, board.fields.project_id);
    const named: string | undefined = body.move_to_board_id;
    const target = named === undefined ? undefined : liveBoard(model, board.fields.project_id, named);
    if (named === undefined) rejectIf({ target_board_required: board.tickets.length > 0 });
    else if (!target || target === board) throw new Rejected(['invalid_target_board']);
    else rejectIf({ wip_limit_reached: board.tickets.length > 0 && isFull(target, board.tickets.length) });
    for (const ticket of board.tickets) if (target) addToBoard(model, ticket, target);
    board.tickets = [];
    board.deleted = true;
    project.boards = project.boards.filter((id) => id !== ids.board);
  },
};

const boardOf = (model: Model, id: string): ModelBoard => {
  const board = model.boards.get(id);
  if (!board) throw new Error(`the model has no board ${id}`);
  return board;
};

const listed = (model: Model, project: string) =>
  projectOf(model, project).boards.map((id, position) => ({ ...boardOf(model, id).fields, position }));

function slugOf(model: Model, live: readonly string[], name: string): string {
  const taken = live.map((id) => boardOf(model, id).fields.slug);
  const slug =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'board';
  for (let next = 1; ; next++) {
    const candidate = next === 1 ? slug : `${slug}-${next}`;
    if (!taken.includes(candidate)) return candidate;
  }
}
