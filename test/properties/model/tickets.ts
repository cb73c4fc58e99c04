import {
  actorOf,
  archivedAt,
  change,
  instant,
  liveBoard,
  type ModelCall,
  type ModelRules,
  matches,
  membersOf,
  once,
  page,
  projectOf,
  referTo,
  rejectIf,
  sameItems,
} from './rule.js';
import type { Fields, Model, ModelBoard, ModelTicket } from './state.js';

export const ticketModel: Omit<
  Pick<ModelRules, Extract<keyof ModelRules, `tickets.${string}`>>,
  'tickets.comments.create'
> = {
  'tickets.list'({ model, ids, query }) {
    const all = projectOf(model, ids.project).boards.flatMap((id) => model.boards.get(id)?.tickets ?? []);
    const found = all
      .map((id) => shown(model, id))
      .filter(({ board_id }) => query.board_id === undefined || board_id === query.board_id)
      .filter(({ title, description_html }) => matches(query.q, [title], description_html));
    return page(found, query);
  },

  'tickets.create'(call) {
    const { model, ids, body, actual, credential } = call;
    const project = projectOf(model, ids.project);
    const board = project.boards
      .flatMap((id) => model.boards.get(id) ?? [])
      .find(({ fields }) => (body.board_id ? fields.id === body.board_id : fields.slug === body.board_slug));
    const { assignees = [], labels = [] } = relations(call, {
      invalid_board: !board,
      wip_limit_reached: Boolean(board && isFull(board, 1)),
    });
    if (!board) throw new Error('rejectIf() rejects a missing board');
    project.lastNumber += 1;
    const { title, description_html = null, priority = 'normal' } = body;
    model.tickets.set(actual.id, {
      deleted: false,
      fields: {
        id: actual.id,
        project_id: ids.project,
        board_id: board.fields.id,
        number: project.lastNumber,
        title,
        description_html,
        priority,
        due_at: utc(body.due_at) ?? null,
        started_at: null,
        completed_at: board.fields.is_done ? instant(model) : null,
        api_credential_id: credential.id,
        creator: actorOf(credential),
        assignees,
        labels,
        tags: [],
        archived_at: null,
        created_at: instant(model),
        updated_at: instant(model),
      },
    });
    board.tickets.push(actual.id);
    return shown(model, actual.id);
  },

  'tickets.reorder'({ model, ids, body }) {
    const board = liveBoard(model, ids.project, body.board_id);
    rejectIf({ invalid_board: !board });
    const order: string[] = body.ticket_ids ?? [];
    rejectIf({ invalid_ticket_list: !sameItems(order, board?.tickets ?? []) });
    order.forEach((id, index) => {
      if (board?.tickets[index] !== id) ticketOf(model, id).fields.updated_at = instant(model);
    });
    board?.tickets.splice(0, order.length, ...order);
  },

  'tickets.get': ({ model, ids }) => shown(model, ids.ticket),

  'tickets.update'(call) {
    const { model, ids, body } = call;
    const { fields } = ticketOf(model, ids.ticket);
    const { assignees, labels } = relations(call, {});
    const { title, description_html, priority } = body;
    const archived_at = archivedAt(model, fields, body.archived);
    const due_at = utc(body.due_at);
    change(model, fields, { title, description_html, priority, due_at, assignees, labels, archived_at });
    return shown(model, ids.ticket);
  },

  'tickets.delete'({ model, ids }) {
    const ticket = ticketOf(model, ids.ticket);
    ticket.deleted = true;
    removeFromBoard(model, ids.ticket);
  },

  'tickets.move'({ model, ids, body }) {
    const { fields } = ticketOf(model, ids.ticket);
    const target = liveBoard(model, fields.project_id as string, body.board_id);
    const changesBoard = fields.board_id !== body.board_id;
    rejectIf({
      invalid_board: !target,
      wip_limit_reached: Boolean(target && changesBoard && isFull(target, 1)),
    });
    const before = shown(model, ids.ticket).position;
    if (target && changesBoard) {
      removeFromBoard(model, ids.ticket);
      addToBoard(model, ids.ticket, target);
    }
    target?.tickets.splice(target.tickets.indexOf(ids.ticket), 1);
    target?.tickets.splice(body.position ?? target.tickets.length, 0, ids.ticket);
    if (!changesBoard && before !== shown(model, ids.ticket).position) fields.updated_at = instant(model);
    return shown(model, ids.ticket);
  },
};

/** Returns whether adding this number of tickets would exceed the board's WIP limit. */
export const isFull = ({ fields, tickets }: ModelBoard, added: number): boolean =>
  fields.wip_limit !== null && tickets.length + added > fields.wip_limit;

/** Moves a ticket to the end of another board. */
export function addToBoard(model: Model, id: string, { fields: board, tickets }: ModelBoard): void {
  const { fields } = ticketOf(model, id);
  fields.board_id = board.id;
  if (!board.is_done) fields.started_at ??= instant(model);
  fields.completed_at = board.is_done ? instant(model) : null;
  fields.updated_at = instant(model);
  tickets.push(id);
}

function removeFromBoard(model: Model, id: string): void {
  const board = model.boards.get(ticketOf(model, id).fields.board_id);
  board?.tickets.splice(board.tickets.indexOf(id), 1);
}

function ticketOf(model: Model, id: string): ModelTicket {
  const ticket = model.tickets.get(id);
  if (!ticket) throw new Error(`the model has no ticket ${id}`);
  return ticket;
}

function shown(model: Model, id: string): Fields & { board_id: string; position: number } {
  const { fields } = ticketOf(model, id);
  return { ...fields, position: model.boards.get(fields.board_id)?.tickets.indexOf(id) ?? -1 };
}

/** Resolves the body's assignees and labels, and reports unknown ones along with the other errors. */
function relations({ model, organization, ids, body }: ModelCall, reasons: Record<string, boolean>) {
  const { assignee_ids, label_ids }: { assignee_ids?: string[]; label_ids?: string[] } = body;
  const project = projectOf(model, ids.project ?? (ticketOf(model, ids.ticket).fields.project_id as string));
  const members = membersOf(organization, project);
  const invalid_relation =
    !(assignee_ids ?? []).every((id) => members.some((user) => user.id === id)) ||
    !(label_ids ?? []).every((id) => project.labels.some((label) => label.id === id));
  rejectIf({ ...reasons, invalid_relation });
  return {
    assignees: assignee_ids && referTo(members, assignee_ids),
    labels: label_ids && once(label_ids).map((id) => project.labels.find((label) => label.id === id)),
  };
}

const utc = (due: string | null | undefined) => (due ? new Date(due).toISOString() : due);
