import type { OperationId, Worktrack } from 'worktrack';
import type { Ids } from './requests.js';
import type { Json } from './support.js';

/** How each operation is called through the client; the body goes in as a test wants it. */
export const calls: Record<
  OperationId,
  (client: Worktrack, ids: Ids, body: Json, options?: { organization: string }) => PromiseLike<unknown>
> = {
  'organization.get': (client, _, __, options) => client.organization.get(options),
  'projects.list': (client, _, __, options) => client.projects.list(options),
  'projects.create': (client, _, body, options) => client.projects.create(body, options),
  'projects.get': (client, { project }) => client.projects.get(project),
  'projects.update': (client, { project }, body) => client.projects.update(project, body),
  'projects.delete': (client, { project }) => client.projects.delete(project),
  'projects.members.list': (client, { project }) => client.projects.members.list(project),
  'projects.labels.list': (client, { project }) => client.projects.labels.list(project),
  'projects.tags.list': (client, { project }) => client.projects.tags.list(project),
  'projects.analytics.get': (client, { project }) => client.projects.analytics.get(project),
  'boards.list': (client, { project }) => client.boards.list(project),
  'boards.create': (client, { project }, body) => client.boards.create(project, body),
  'boards.reorder': (client, { project }, body) => client.boards.reorder(project, body),
  'boards.update': (client, { board }, body) => client.boards.update(board, body),
  'boards.delete': (client, { board }, body) => client.boards.delete(board, body),
  'tickets.list': (client, { project }) => client.tickets.list(project),
  'tickets.create': (client, { project }, body) => client.tickets.create(project, body),
  'tickets.reorder': (client, { project }, body) => client.tickets.reorder(project, body),
  'tickets.get': (client, { ticket }) => client.tickets.get(ticket),
  'tickets.update': (client, { ticket }, body) => client.tickets.update(ticket, body),
  'tickets.delete': (client, { ticket }) => client.tickets.delete(ticket),
  'tickets.move': (client, { ticket }, body) => client.tickets.move(ticket, body),
  'tickets.comments.create': (client, { ticket }, body) => client.tickets.comments.create(ticket, body),
  'documents.list': (client, _, __, options) => client.documents.list({}, options),
  'documents.create': (client, _, body, options) => client.documents.create(body, options),
  'documents.get': (client, { document }) => client.documents.get(document),
  'documents.update': (client, { document }, body) => client.documents.update(document, body),
  'documents.delete': (client, { document }) => client.documents.delete(document),
  'documents.comments.create': (client, { document }, body) =>
    client.documents.comments.create(document, body),
  'notifications.send': (client, _, body, options) => client.notifications.send(body, options),
};
