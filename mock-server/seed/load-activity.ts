import type { Actor } from '../../src/contract/index.js';
import { actor } from '../rules/views.js';
import type { CommentRow, NotificationRow, UserRow } from '../state/rows.js';
import { findActor, idFor, type NoFields, type SeedContext } from './seed-context.js';
import { SeedError } from './seed-error.js';
import type { CommentSeed, NotificationSeed } from './world.js';

/** Adds a comment to one of the organization's tickets or documents. */
export function loadComment(
  context: SeedContext,
  seed: Omit<CommentSeed, 'ticket' | 'document'>,
  target: { ticket_id: string } | { document_id: string },
): CommentRow {
  const { state, path } = context;
  const { id, body_html = 'Comment', author, created_at = state.clock.iso(), ...rest } = seed;
  rest satisfies NoFields;
  const comment = {
    id: idFor(state, state.comments, id, path),
    ...target,
    body_html,
    author: authorOf(context, author),
    created_at,
  } as CommentRow;
  state.comments.put(comment.id, comment);
  return comment;
}

/** Adds a notification for a user. */
export function loadNotification(
  context: SeedContext,
  seed: Omit<NotificationSeed, 'user'>,
  user: UserRow,
): NotificationRow {
  const { state, path } = context;
  const { id, title = `Notification ${state.notifications.slots + 1}`, body = title, ...otherFields } = seed;
  const { url = null, created_at = state.clock.iso(), ...rest } = otherFields;
  rest satisfies NoFields;
  const notification = {
    id: idFor(state, state.notifications, id, path),
    organization_id: user.organization_id,
    user_id: user.id,
    title,
    body,
    url,
    created_at,
  };
  state.notifications.put(notification.id, notification);
  return notification;
}

function authorOf(context: SeedContext, author: CommentSeed['author']): Actor {
  const { state, path, organization } = context;
  if (author !== undefined) {
    return findActor(context, author, 'author');
  }
  for (const credential of state.credentials.values()) {
    if (credential.organization_id === organization) return actor(credential);
  }
  throw new SeedError(`${path}.author`, 'is required because the organization has no credential');
}
