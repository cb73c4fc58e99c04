import type { OperationId } from './index.js';

/**
 * Short operation descriptions for `openapi.json`, the documentation, and `--help`. They are in a separate
 * file so that they aren't bundled with the client.
 */
export const summaries: Readonly<Record<OperationId, string>> = {
  'organization.get': 'Get the organization',
  'projects.list': "List the organization's projects",
  'projects.create': 'Create a project',
  'projects.get': 'Get a project',
  'projects.update': 'Update, archive, or unarchive a project',
  'projects.delete': 'Delete a project, its boards, and its tickets (soft delete)',
  'projects.members.list': "List a project's members, including the organization's owners and admins",
  'projects.labels.list': "List a project's labels",
  'boards.list': "List a project's boards, in order",
  'boards.create': 'Create a board at the end of a project',
  'boards.reorder': "Reorder a project's boards",
  'boards.update': 'Update a board',
  'boards.delete': 'Delete a board (soft delete) and move its tickets to another board',
  'tickets.list': "List a project's tickets, ordered by board and position",
  'tickets.create': 'Create a ticket at the end of a board',
  'tickets.reorder': "Reorder a board's tickets",
  'projects.analytics.get': "Get a project's analytics",
  'tickets.get': 'Get a ticket',
  'tickets.update': 'Update a ticket',
  'tickets.delete': 'Delete a ticket (soft delete)',
  'tickets.move': 'Move a ticket to a position on a board',
  'tickets.comments.create': 'Comment on a ticket',
  'documents.list': "List the organization's documents, oldest first",
  'documents.create': 'Create a document',
  'documents.get': 'Get a document',
  'documents.update': 'Update, publish, or archive a document',
  'documents.delete': 'Delete a document (soft delete)',
  'documents.comments.create': 'Comment on a document',
  'notifications.send': "Notify the organization's users",
  'projects.tags.list': "List the tags on a project's tickets, with ticket counts",
};
