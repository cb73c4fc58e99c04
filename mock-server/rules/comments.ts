import type { Actor } from '../../src/contract/index.js';
import type { CommentRow, CredentialRow } from '../state/rows.js';
import type { State } from '../state/state.js';
import { actor } from './views.js';

/** Adds a comment to a ticket or a document. */
export function createComment<Target extends { ticket_id: string } | { document_id: string }>(
  state: State,
  target: Target,
  credential: CredentialRow,
  body_html: string,
): { id: string } & Target & { body_html: string; author: Actor; created_at: string } {
  const comment = {
    id: state.newId(state.comments),
    ...target,
    body_html,
    author: actor(credential),
    created_at: state.clock.iso(),
  };
  state.comments.put(comment.id, comment as CommentRow);
  return comment;
}
