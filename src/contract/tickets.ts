import * as z from 'zod/mini';
import { createComment, ticketComment } from './comments.js';
import {
  type Actor,
  actor,
  dateTimeInput,
  type Fields,
  ids,
  integer,
  lenientEnum,
  nullableString,
  nullableText,
  number,
  optionalBoolean,
  optionalString,
  perPage,
  type Reference,
  reference,
  string,
  text,
  type Wired,
} from './fields.js';
import { withHints } from './hints.js';
import { lazy } from './lazy.js';
import { limits } from './limits.js';
import { list, operation } from './operation.js';
import { type Label, label } from './projects.js';
import { listOf, type Schema } from './zod-internals.js';

export const priorities = ['lowest', 'low', 'normal', 'high', 'highest', 'critical'] as const;

/**
 * A ticket's priority, from least to most urgent: `lowest`, `low`, `normal`, `high`, `highest`, or
 * `critical`.
 */
export type Priority = (typeof priorities)[number];

/** A ticket on a board. */
export interface Ticket {
  id: string;
  project_id: string;
  board_id: string;
  /** The ticket's number in the project, starting at 1. */
  number: number;
  title: string;
  description_html: string | null;
  priority: Priority;
  /** The ticket's zero-based index on its board. */
  position: number;
  due_at: string | null;
  /**
   * When the ticket was first moved to another board that isn't a done board, or null if that never happened.
   */
  started_at: string | null;
  /** When the ticket was moved to, or created on, a done board. Null after a move to any other board. */
  completed_at: string | null;
  /** The ID of the credential that created the ticket, or null if a user created it. */
  api_credential_id: string | null;
  creator: Actor | null;
  assignees: Reference[];
  labels: Label[];
  tags: Reference[];
  archived_at: string | null;
  created_at: string;
  updated_at: string;
}

/** The optional fields of a ticket that don't refer to other records. */
export interface TicketContent {
  /** At most 200,000 characters. */
  description_html?: string | null | undefined;
  /** One of `lowest`, `low`, `normal`, `high`, `highest`, or `critical`. New tickets default to `normal`. */
  priority?: Priority | undefined;
  /** An RFC 3339 date-time with any offset, or a `Date`. */
  due_at?: string | Date | null | undefined;
}

interface TicketFields extends TicketContent {
  /** The IDs of users who can see the project. An update replaces the entire list. */
  assignee_ids?: string[] | undefined;
  /** The IDs of project labels. An update replaces the entire list. */
  label_ids?: string[] | undefined;
}

interface NewTicket extends TicketFields {
  /** At most 500 characters. */
  title: string;
}

export interface CreateTicketByBoardId extends NewTicket {
  /** The ID of a live board in the project. */
  board_id: string;
  board_slug?: undefined;
}

export interface CreateTicketByBoardSlug extends NewTicket {
  board_id?: undefined;
  /** The slug of a live board in the project. */
  board_slug: string;
}

/**
 * A new ticket without a board. Only for deployments that have a default board. See the `defaultBoard` client
 * option.
 */
export interface CreateTicketOnDefaultBoard extends NewTicket {
  board_id?: undefined;
  board_slug?: undefined;
}

/** A new ticket. Set either `board_id` or `board_slug`. */
export type CreateTicket = CreateTicketByBoardSlug | CreateTicketByBoardId;

export interface UpdateTicket extends TicketFields {
  /** At most 500 characters. */
  title?: string | undefined;
  /** Whether the ticket is archived. Archived tickets still appear in lists and count toward limits. */
  archived?: boolean | undefined;
}

export interface MoveTicket {
  /** The ID of a live board in the ticket's project. It can be the ticket's current board. */
  board_id: string;
  /** The zero-based index on the target board. If it's omitted or too large, the ticket moves to the end. */
  position?: number | undefined;
}

export interface ReorderTickets {
  /** The ID of a live board in the project. */
  board_id: string;
  /** The IDs of all live tickets on the board, in the new order. Each ID must appear exactly once. */
  ticket_ids: string[];
}

export interface ListTicketsQuery {
  /** Returns only tickets on this board. */
  board_id?: string | undefined;
  /** Returns only tickets whose title or description contains this text, ignoring case. */
  q?: string | undefined;
  /** The number of tickets per page, from 1 to 200. The default is 50. */
  per_page?: number | undefined;
  /** The page number. The default is 1. */
  page?: number | undefined;
}

/** The default values of a new ticket's optional fields. */
export const ticketDefaults: Pick<Ticket, keyof TicketContent> = {
  description_html: null,
  priority: 'normal',
  due_at: null,
};

export const ticket = lazy<Schema<Ticket>>(() =>
  z.looseObject({
    id: string(),
    project_id: string(),
    board_id: string(),
    number: number(),
    title: string(),
    description_html: nullableString(),
    priority: lenientEnum<Priority>(),
    position: number(),
    due_at: nullableString(),
    started_at: nullableString(),
    completed_at: nullableString(),
    api_credential_id: nullableString(),
    creator: z.nullable(actor()),
    assignees: listOf(reference()),
    labels: listOf(label()),
    tags: listOf(reference()),
    archived_at: nullableString(),
    created_at: string(),
    updated_at: string(),
  }),
);

const title = lazy(() => text(limits.ticket.title));

const ticketFields = lazy(() => ({
  description_html: z.optional(nullableText(limits.ticket.description_html)),
  priority: z.optional(z.enum(priorities)),
  due_at: z.optional(z.nullable(dateTimeInput())),
  assignee_ids: z.optional(ids()),
  label_ids: z.optional(ids()),
}));

const newTicket = (needsBoard: boolean) =>
  z
    .strictObject({
      board_id: optionalString(),
      board_slug: optionalString(),
      title: title(),
      ...ticketFields(),
    } satisfies Fields<CreateTicketByBoardId>)
    .check(
      z.refine(
        ({ board_id, board_slug }) =>
          board_id === undefined ? !needsBoard || board_slug !== undefined : board_slug === undefined,
        {
          path: ['board_id'],
          error: needsBoard
            ? 'or board_slug is required, but not both'
            : 'and board_slug are mutually exclusive',
          // Check this even if other fields are invalid so that all errors are reported at once.
          when: ({ value, issues }) =>
            typeof value === 'object' &&
            value !== null &&
            !Array.isArray(value) &&
            !issues.some(({ path }) => String(path?.[0]).startsWith('board_')),
        },
      ),
    );

export const createTicket = lazy(
  () =>
    newTicket(true) as unknown as Schema<
      Wired<CreateTicketByBoardId> | Wired<CreateTicketByBoardSlug>,
      CreateTicket
    >,
);

const createTicketOnDefaultBoard = lazy(
  () =>
    newTicket(false) as unknown as Schema<
      Wired<CreateTicketOnDefaultBoard>,
      CreateTicket | CreateTicketOnDefaultBoard
    >,
);

export const updateTicket = lazy<Schema<Wired<UpdateTicket>, UpdateTicket>>(() => {
  const fields = z.strictObject({
    title: z.optional(title()),
    ...ticketFields(),
    archived: optionalBoolean(),
  } satisfies Fields<UpdateTicket>);
  return withHints(fields, {
    board_id: 'use tickets.move',
    board_slug: 'use tickets.move',
    position: 'use tickets.move or tickets.reorder',
  });
});

export const moveTicket = lazy<Schema<MoveTicket>>(() =>
  z.strictObject({
    board_id: string(),
    position: z.optional(integer(0)),
  } satisfies Fields<MoveTicket>),
);

export const reorderTickets = lazy<Schema<ReorderTickets>>(() =>
  z.strictObject({
    board_id: string(),
    ticket_ids: ids(),
  } satisfies Fields<ReorderTickets>),
);

export const listTicketsQuery = lazy<Schema<ListTicketsQuery>>(() =>
  z.strictObject({
    board_id: optionalString(),
    q: optionalString(),
    ...perPage(),
  } satisfies Fields<ListTicketsQuery>),
);

export const ticketOperations = /* @__PURE__ */ (() => ({
  'tickets.list': operation({
    summary: "List a project's tickets, ordered by board and position",
    number: 14,
    method: 'GET',
    path: '/projects/{project}/tickets',
    scope: 'tickets:read',
    status: 200,
    query: listTicketsQuery,
    response: list(ticket),
    paginated: true,
  }),
  'tickets.create': operation({
    summary: 'Create a ticket at the end of a board',
    number: 15,
    method: 'POST',
    path: '/projects/{project}/tickets',
    scope: 'tickets:write',
    status: 201,
    body: createTicket,
    bodyOnDefaultBoard: createTicketOnDefaultBoard,
    response: ticket,
    errorCodes: ['invalid_relation', 'invalid_board', 'wip_limit_reached'],
  }),
  'tickets.reorder': operation({
    summary: "Reorder a board's tickets",
    number: 16,
    method: 'PUT',
    path: '/projects/{project}/tickets/reorder',
    scope: 'tickets:write',
    status: 204,
    body: reorderTickets,
    errorCodes: ['invalid_board', 'invalid_ticket_list'],
  }),
  'tickets.get': operation({
    summary: 'Get a ticket',
    number: 18,
    method: 'GET',
    path: '/tickets/{ticket}',
    scope: 'tickets:read',
    status: 200,
    response: ticket,
  }),
  'tickets.update': operation({
    summary: 'Update a ticket',
    number: 19,
    method: 'PATCH',
    path: '/tickets/{ticket}',
    scope: 'tickets:write',
    status: 200,
    body: updateTicket,
    response: ticket,
    errorCodes: ['invalid_relation'],
  }),
  'tickets.delete': operation({
    summary: 'Delete a ticket (soft delete)',
    number: 20,
    method: 'DELETE',
    path: '/tickets/{ticket}',
    scope: 'tickets:write',
    status: 204,
  }),
  'tickets.move': operation({
    summary: 'Move a ticket to a position on a board',
    number: 21,
    method: 'POST',
    path: '/tickets/{ticket}/move',
    scope: 'tickets:write',
    status: 200,
    body: moveTicket,
    response: ticket,
    errorCodes: ['invalid_board', 'wip_limit_reached'],
    idempotent: true,
  }),
  'tickets.comments.create': operation({
    summary: 'Comment on a ticket',
    number: 22,
    method: 'POST',
    path: '/tickets/{ticket}/comments',
    scope: 'comments:write',
    status: 201,
    body: createComment,
    response: ticketComment,
  }),
}))();
