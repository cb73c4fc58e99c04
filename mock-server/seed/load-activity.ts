import type { Actor } from '../../src/contract/index.js';
import { actor } from '../rules/views.js';
import type { CommentRow, NotificationRow, UserRow } from '../state/rows.js';
import { describeOrganization, idFor, type SeedContext } from './seed-context.js';
import { SeedError } from './seed-error.js';
import type { CommentSeed, NotificationSeed } from './world.js';

/** Adds a comment to a ticket or a document of the organization. */
export function loadComment(
  context: SeedContext,
  seed: CommentSeed,
  target: { ticket_id: string } | { document_id: string },
): CommentRow {
  const { state, path } = context;
  const comment = {
    id: idFor(state, state.comments, seed.id, path),
    ...target,
    body_html: seed.body_html ?? 'Comment',
    author: authorOf(context, seed),
    created_at: seed.created_at ?? state.clock.iso(),
  } as CommentRow;
  state.comments.put(comment.id, comment);
  return comment;
}

/** Adds a notification for a user. */
export function loadNotification(
  context: SeedContext,
  seed: NotificationSeed,
  user: UserRow,
): NotificationRow {
  const { state, path } = context;
  const { title = `Notification ${state.notifications.slots + 1}` } = seed;
  const notification = {
    id: idFor(state, state.notifications, seed.id, path),
    organization_id: user.organization_id,
    user_id: user.id,
    title,
    body: seed.body ?? title,
    url: seed.url ?? null,
    created_at: seed.created_at ?? state.clock.iso(),
  };
  state.notifications.put(notification.id, notification);
  return notification;
}

function authorOf(context: SeedContext, { author }: CommentSeed): Actor {
  const { state, users, path, organization } = context;
  if (author !== undefined) {
    const { id, name } = users.find(author, `${path}.author`, describeOrganization(context));
    return { type: 'user', id, name };
  }
  for (const credential of state.credentials.values()) {
    if (credential.organization_id === organization) return actor(credential);
  }
  throw new SeedError(`${path}.author`, 'is required: the organization has no credential');
}
