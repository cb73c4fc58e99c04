import { parseDateTime, type SentBodyOf, type Ticket, ticketDefaults } from '../../src/contract/index.js';
import { inQuotes } from '../../src/shared/quote.js';
import { boardBySlug, liveBoard } from '../state/boards.js';
import { projectOf } from '../state/live.js';
import { type BoardRow, fillDefaults, type ProjectRow, type TicketRow } from '../state/rows.js';
import type { State } from '../state/state.js';
import {
  addTicket,
  moveTicket,
  positionOf,
  removeTicket,
  replaceTicket,
  ticketCount,
} from '../state/tickets.js';
import { archivedAt, changed, createComment, moveToBoard } from './changes.js';
import { requirePermutation } from './permutation.js';
import { invalidField } from './rejected-request.js';
import { Relations } from './relations.js';
import { pageOf, type RulePage, type RulesOf } from './rule.js';
import { actor, ticketTexts, viewTicket } from './views.js';
import { checkWipLimit, isCounted } from './wip-limit.js';

export const ticketRules: RulesOf<'tickets'> = {
  'tickets.list'({ state, project, query }) {
    const { from, count } = pageOf(query);
    const boards = boardsOf(state, project, query.board_id);
    return query.q ? search(state, boards, query.q, from, count) : slice(state, boards, from, count);
  },

  'tickets.create'({ state, project, credential, body }) {
    const { board_id, board_slug, title, assignee_ids, label_ids, ...content } = body;
    const relations = new Relations();
    const assignees = relations.assignees(state, project, assignee_ids) ?? [];
    const labels = relations.labels(project, label_ids) ?? [];
    relations.check();
    const { board, field } = boardNamed(state, project, { board_id, board_slug });
    checkWipLimit(state, board, 1, field);
    const now = state.clock.iso();
    const row: TicketRow = {
      id: state.newId(state.tickets),
      project_id: project.id,
      board_id: board.id,
      number: project.lastNumber + 1,
      title,
      ...fillDefaults(ticketDefaults, content),
      due_at: utc(content.due_at) ?? null,
      started_at: null,
      completed_at: board.is_done ? now : null,
      api_credential_id: credential.id,
      creator: actor(credential),
      assignees,
      labels,
      tags: [],
      archived_at: null,
      created_at: now,
      updated_at: now,
      deleted_at: null,
    };
    addTicket(state, row);
    return viewTicket(state, row);
  },

  'tickets.reorder'({ state, project, body }) {
    const board = liveBoard(state, project, body.board_id);
    if (!board) throw invalidBoard('board_id', body.board_id);
    const key = state.boards.slotOf(board.id);
    const before = state.ticketOrder.slice(key);
    const slots = requirePermutation('invalid_ticket_list', 'ticket_ids', body.ticket_ids, {
      expected: before.map((slot) => state.tickets.at(slot).id),
      what: 'ticket on the board',
    }).map((place) => before[place] as number);
    const now = state.clock.iso();
    slots.forEach((slot, index) => {
      if (before[index] === slot) return;
      const ticket = state.tickets.at(slot);
      state.tickets.put(ticket.id, { ...ticket, updated_at: now });
    });
    state.ticketOrder.replace(key, slots);
  },

  'tickets.get': ({ state, ticket }) => viewTicket(state, ticket),

  'tickets.update'({ state, ticket, body: { archived, assignee_ids, label_ids, due_at, ...body } }) {
    const project = projectOf(state, ticket);
    const relations = new Relations();
    const changes = {
      ...body,
      due_at: utc(due_at),
      assignees: relations.assignees(state, project, assignee_ids),
      labels: relations.labels(project, label_ids),
    };
    relations.check();
    const now = state.clock.iso();
    const archived_at = archivedAt(ticket.archived_at, archived, now);
    const row = changed(ticket, { ...changes, archived_at }, now);
    replaceTicket(state, row);
    return viewTicket(state, row);
  },

  'tickets.delete'({ state, ticket }) {
    removeTicket(state, { ...ticket, deleted_at: state.clock.iso() });
  },

  'tickets.move'({ state, ticket, body }) {
    const board = liveBoard(state, projectOf(state, ticket), body.board_id);
    if (!board) throw invalidBoard('board_id', body.board_id);
    if (board.id === ticket.board_id) return moveWithin(state, ticket, body.position);
    if (isCounted(state, ticket)) checkWipLimit(state, board, 1, 'board_id');
    return viewTicket(state, moveToBoard(state, ticket, board, body.position ?? Number.POSITIVE_INFINITY));
  },

  'tickets.comments.create': ({ state, ticket, credential, body }) =>
    createComment(state, { ticket_id: ticket.id }, credential, body.body_html),
};

/**
 * Moves a ticket within its board. The WIP limit doesn't apply, and `started_at` and `completed_at` don't
 * change.
 */
function moveWithin(state: State, ticket: TicketRow, position = Number.POSITIVE_INFINITY): Ticket {
  const before = positionOf(state, ticket);
  const index = Math.min(position, ticketCount(state, ticket.board_id) - 1);
  if (index === before) return viewTicket(state, ticket, before);
  const row = { ...ticket, updated_at: state.clock.iso() };
  moveTicket(state, row, index);
  return viewTicket(state, row, index);
}

/**
 * Finds a new ticket's board by ID or slug. Validation has already ensured that exactly one of them is set.
 */
function boardNamed(
  state: State,
  project: ProjectRow,
  { board_id, board_slug }: Pick<SentBodyOf<'tickets.create'>, 'board_id' | 'board_slug'>,
): { board: BoardRow; field: string } {
  const field = board_id === undefined ? 'board_slug' : 'board_id';
  const board =
    board_id === undefined
      ? boardBySlug(state, project, board_slug ?? '')
      : liveBoard(state, project, board_id);
  if (!board) throw invalidBoard(field, board_id ?? board_slug);
  return { board, field };
}

const invalidBoard = (field: string, id = '') =>
  invalidField('invalid_board', field, `${inQuotes(id)} is not a board in this project`);

/**
 * Returns the boards to list tickets from: the board in the query, or all of the project's boards in order.
 */
function boardsOf(state: State, project: ProjectRow, id: string | undefined): readonly number[] {
  if (id === undefined) return project.boards;
  return liveBoard(state, project, id) ? [state.boards.slotOf(id)] : [];
}

function slice(state: State, boards: readonly number[], from: number, count: number): RulePage<Ticket> {
  const items: Ticket[] = [];
  let total = 0;
  for (const board of boards) {
    const length = state.ticketOrder.length(board);
    const start = Math.max(0, from - total);
    if (start < length && items.length < count) {
      state.ticketOrder.slice(board, start, count - items.length).forEach((slot, offset) => {
        items.push(viewTicket(state, state.tickets.at(slot), start + offset));
      });
    }
    total += length;
  }
  return { items, total };
}

/** Searches all tickets, even if the page is already full, because the response includes the total. */
function search(
  state: State,
  boards: readonly number[],
  q: string,
  from: number,
  count: number,
): RulePage<Ticket> {
  const contains = state.ticketTexts.matcher(q, ticketTexts);
  const items: Ticket[] = [];
  let total = 0;
  for (const board of boards) {
    let position = 0;
    for (const slot of state.ticketOrder.items(board)) {
      if (contains(slot)) {
        if (total >= from && items.length < count) {
          items.push(viewTicket(state, state.tickets.at(slot), position));
        }
        total += 1;
      }
      position += 1;
    }
  }
  return { items, total };
}

/** Converts a date-time to UTC, which all records use. */
const utc = (text: string | null | undefined): string | null | undefined =>
  typeof text === 'string' ? parseDateTime(text)?.toISOString() : text;
