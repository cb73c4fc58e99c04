import * as z from 'zod/mini';
import { withHints } from '../../shared/hints.js';
import { lazy } from '../lazy.js';
import { listOf } from '../zod-internals.js';
import {
  dateTimeInput,
  ids,
  integer,
  lenientEnum,
  nullableString,
  nullableText,
  number,
  optionalBoolean,
  optionalString,
  type Schema,
  string,
  text,
  type Wired,
} from './fields.js';
import { perPage } from './page.js';
import { type Actor, actor, type Reference, reference } from './people.js';
import { type Label, label } from './project.js';

export const priorities = ['lowest', 'low', 'normal', 'high', 'highest', 'critical'] as const;

/** A ticket's priority, from least to most urgent: `lowest low normal high highest critical`. */
export type Priority = (typeof priorities)[number];

/** A ticket on a board. */
export interface Ticket {
  id: string;
  project_id: string;
  board_id: string;
  /** Counts up in the project, from 1. */
  number: number;
  title: string;
  description_html: string | null;
  priority: Priority;
  /** Index on its board, from 0. */
  position: number;
  due_at: string | null;
  /** When it first moved to another board that is not done. */
  started_at: string | null;
  /** When it arrived on a done board; null again once it leaves. */
  completed_at: string | null;
  /** The credential that created it; null for a ticket a user made. */
  api_credential_id: string | null;
  creator: Actor | null;
  assignees: Reference[];
  labels: Label[];
  tags: Reference[];
  archived_at: string | null;
  created_at: string;
  updated_at: string;
}

interface TicketFields {
  /** At most 200,000 characters. */
  description_html?: string | null | undefined;
  /** One of `lowest low normal high highest critical`; a new one is `normal` by default. */
  priority?: Priority | undefined;
  /** RFC 3339 with any offset, or a `Date`. */
  due_at?: string | Date | null | undefined;
  /** Users who can see the project. In an update it replaces the whole list. */
  assignee_ids?: string[] | undefined;
  /** Labels of the project. In an update it replaces the whole list. */
  label_ids?: string[] | undefined;
}

interface NewTicket extends TicketFields {
  /** At most 500 characters. */
  title: string;
}

export interface CreateTicketByBoardId extends NewTicket {
  /** A live board of the project. */
  board_id: string;
  board_slug?: undefined;
}

export interface CreateTicketByBoardSlug extends NewTicket {
  board_id?: undefined;
  /** The slug of a live board of the project. */
  board_slug: string;
}

/** A new ticket; its board is named by `board_id` or by `board_slug`, one of the two. */
export type CreateTicket = CreateTicketByBoardSlug | CreateTicketByBoardId;

export interface UpdateTicket extends TicketFields {
  /** At most 500 characters. */
  title?: string | undefined;
  /** Archives it, or brings it back; lists and limits take no notice. */
  archived?: boolean | undefined;
}

export interface MoveTicket {
  /** A live board of the ticket's project; its own board is allowed. */
  board_id: string;
  /** Index on the target board, an integer from 0; past the end, or left out: the end. */
  position?: number | undefined;
}

export interface ReorderTickets {
  /** A live board of the project. */
  board_id: string;
  /** Every live ticket of the board, each once, in the new order. */
  ticket_ids: string[];
}

export interface ListTicketsQuery {
  /** Only tickets of this board. */
  board_id?: string | undefined;
  /** Text that title or description contain, compared without regard to case. */
  q?: string | undefined;
  /** Tickets a page, 1 to 200; 50 by default. */
  per_page?: number | undefined;
  /** The page to begin with, from 1. */
  page?: number | undefined;
}

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

const title = lazy(() => text(500));

const ticketFields = lazy(() => ({
  description_html: z.optional(nullableText(200_000)),
  priority: z.optional(z.enum(priorities)),
  due_at: z.optional(z.nullable(dateTimeInput())),
  assignee_ids: z.optional(ids()),
  label_ids: z.optional(ids()),
}));

export const createTicket = lazy(() => {
  const fields = z.strictObject({
    board_id: optionalString(),
    board_slug: optionalString(),
    title: title(),
    ...ticketFields(),
  });
  return fields.check(
    z.refine(({ board_id, board_slug }) => (board_id === undefined) !== (board_slug === undefined), {
      path: ['board_id'],
      error: 'or board_slug is required, exactly one of the two',
      // Also where other fields are wrong: everything is reported at once.
      when: ({ value, issues }) =>
        typeof value === 'object' &&
        value !== null &&
        !Array.isArray(value) &&
        !issues.some(({ path }) => String(path?.[0]).startsWith('board_')),
    }),
  ) as unknown as Schema<Wired<CreateTicketByBoardId> | Wired<CreateTicketByBoardSlug>, CreateTicket>;
});

export const updateTicket = lazy<Schema<Wired<UpdateTicket>, UpdateTicket>>(() => {
  const fields = z.strictObject({
    title: z.optional(title()),
    ...ticketFields(),
    archived: optionalBoolean(),
  });
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
  }),
);

export const reorderTickets = lazy<Schema<ReorderTickets>>(() =>
  z.strictObject({
    board_id: string(),
    ticket_ids: ids(),
  }),
);

export const listTicketsQuery = lazy<Schema<ListTicketsQuery>>(() =>
  z.strictObject({
    board_id: optionalString(),
    q: optionalString(),
    ...perPage(),
  }),
);
