import * as z from 'zod/mini';
import { type Actor, actor, type Fields, string, text } from './fields.js';
import { lazy } from './lazy.js';
import { limits } from './limits.js';
import type { Schema } from './zod-internals.js';

/** A comment on a ticket. */
export interface TicketComment {
  id: string;
  ticket_id: string;
  body_html: string;
  author: Actor;
  created_at: string;
}

/** A comment on a document. */
export interface DocumentComment {
  id: string;
  document_id: string;
  body_html: string;
  author: Actor;
  created_at: string;
}

export interface CreateComment {
  /** At most 200,000 characters. */
  body_html: string;
}

const commentFields = lazy(() => ({
  body_html: string(),
  author: actor(),
  created_at: string(),
}));

export const ticketComment = lazy<Schema<TicketComment>>(() =>
  z.looseObject({
    id: string(),
    ticket_id: string(),
    ...commentFields(),
  }),
);

export const documentComment = lazy<Schema<DocumentComment>>(() =>
  z.looseObject({
    id: string(),
    document_id: string(),
    ...commentFields(),
  }),
);

export const createComment = lazy<Schema<CreateComment>>(() =>
  z.strictObject({
    body_html: text(limits.comment.body_html),
  } satisfies Fields<CreateComment>),
);
