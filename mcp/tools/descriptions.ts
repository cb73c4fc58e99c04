import type { OperationId } from '../../src/contract/index.js';

/**
 * The tool descriptions that models read, if the summary of the operation isn't enough: when to use a tool,
 * what it returns, and its limits. Every word is sent with every conversation, so rules for all tools are in the
 * server's instructions instead.
 */
export const descriptions: Readonly<Partial<Record<OperationId, string>>> = {
  'projects.list': 'List projects with ids and keys. Start here: most tools need a project id.',
  'projects.create': 'Create a project. The key is a short unique code and never changes.',
  'projects.get': 'Get a project.',
  'projects.update': 'Change a project; archived: true archives it.',
  'projects.delete': 'Delete a project with its boards and tickets. Prefer archiving.',
  'projects.members.list': 'List people who can be assigned tickets of a project, with user ids.',
  'projects.labels.list': "List a project's labels with ids.",
  'projects.analytics.get': 'Get ticket counts of a project: total, done, open, overdue, per board.',
  'projects.tags.list': "List tags on a project's tickets, with ticket counts.",
  'boards.list': "List a project's boards (columns) in order, with ids and WIP limits.",
  'boards.create': 'Add a board at the end of a project.',
  'boards.reorder': 'Reorder boards. board_ids: all boards of the project, each once.',
  'boards.update': 'Change a board. wip_limit null removes the limit.',
  'boards.delete': 'Delete a board. move_to_board_id is required if it has tickets.',
  'tickets.list': 'List tickets of a project or board; q searches title and description. No descriptions.',
  'tickets.create':
    'Create a ticket at the end of a board: give board_id or board_slug, not both. Fails if the WIP limit is reached.',
  'tickets.reorder': 'Reorder tickets. ticket_ids: all tickets of the board, each once.',
  'tickets.get': 'Get a ticket with its description. Comments cannot be read.',
  'tickets.update': 'Change fields of a ticket; lists replace the old list. Not its board: use tickets_move.',
  'tickets.delete': 'Delete a ticket. Prefer archived: true in tickets_update.',
  'tickets.move':
    'Move a ticket to a board; position from 0, default last. Fails if the WIP limit is reached.',
  'tickets.comments.create': 'Comment on a ticket.',
  'documents.list':
    'List documents; q searches title, caption and content; several tags must all match. No content.',
  'documents.create': 'Create a document, a draft unless status says published.',
  'documents.get': 'Get a document with its content.',
  'documents.update': 'Change, publish or archive a document; lists replace the old list.',
  'documents.delete': 'Delete a document. Prefer archived: true in documents_update.',
  'documents.comments.create': 'Comment on a document.',
  'notifications.send': 'Notify users. Cannot be undone. url is a path below /app.',
};
