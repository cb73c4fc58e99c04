import * as z from 'zod/mini';
import { type Schema, string, text } from './fields.js';
import { type Actor, actorSchema } from './people.js';

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

const commentFields = /* @__PURE__ */ {
  body_html: string,
  author: actorSchema,
  created_at: string,
};

export const ticketCommentSchema: Schema<TicketComment> = /* @__PURE__ */ z.looseObject({
  id: string,
  ticket_id: string,
  ...commentFields,
});

export const documentCommentSchema: Schema<DocumentComment> = /* @__PURE__ */ z.looseObject({
  id: string,
  document_id: string,
  ...commentFields,
});

export const createCommentSchema: Schema<CreateComment> = /* @__PURE__ */ z.strictObject({
  body_html: text(200_000),
});
