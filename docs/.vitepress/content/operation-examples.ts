import type { Worktrack } from 'worktrack';
import type { OperationId } from 'worktrack/contract';

/**
 * Example calls for all operations, with the Apollo world as seed data. Each operation's page includes the
 * example's source code, its request, and the response. The type ensures that every operation has an example.
 */
export const operationExamples: Record<OperationId, (client: Worktrack) => PromiseLike<unknown>> = {
  'organization.get': (client) => client.organization.get(),

  'projects.list': (client) => client.projects.list(),
  'projects.create': (client) =>
    client.projects.create({ name: 'Gemini', key: 'GEM', description: 'Two at a time' }),
  'projects.get': (client) => client.projects.get('prj_apollo'),
  'projects.update': (client) => client.projects.update('prj_apollo', { name: 'Apollo 11' }),
  'projects.delete': (client) => client.projects.delete('prj_apollo'),
  'projects.members.list': (client) => client.projects.members.list('prj_apollo'),
  'projects.labels.list': (client) => client.projects.labels.list('prj_apollo'),
  'projects.tags.list': (client) => client.projects.tags.list('prj_apollo'),
  'projects.analytics.get': (client) => client.projects.analytics.get('prj_apollo'),

  'boards.list': (client) => client.boards.list('prj_apollo'),
  'boards.create': (client) => client.boards.create('prj_apollo', { name: 'Blocked', wip_limit: 5 }),
  'boards.reorder': (client) =>
    client.boards.reorder('prj_apollo', {
      board_ids: ['brd_done', 'brd_review', 'brd_doing', 'brd_todo'],
    }),
  'boards.update': (client) => client.boards.update('brd_doing', { wip_limit: 3, color: '#0f766e' }),
  'boards.delete': (client) => client.boards.delete('brd_doing', { move_to_board_id: 'brd_todo' }),

  'tickets.list': (client) => client.tickets.list('prj_apollo', { board_id: 'brd_todo', per_page: 2 }),
  'tickets.create': (client) =>
    client.tickets.create('prj_apollo', {
      board_id: 'brd_todo',
      title: 'Splashdown',
      priority: 'high',
      due_at: '2026-02-01T12:00:00+01:00',
      assignee_ids: ['usr_grace'],
      label_ids: ['lbl_crew'],
    }),
  'tickets.reorder': (client) =>
    client.tickets.reorder('prj_apollo', {
      board_id: 'brd_todo',
      ticket_ids: ['tkt_dinner', 'tkt_radio', 'tkt_manual'],
    }),
  'tickets.get': (client) => client.tickets.get('tkt_guidance'),
  'tickets.update': (client) =>
    client.tickets.update('tkt_radio', { priority: 'highest', assignee_ids: ['usr_bob'], due_at: null }),
  'tickets.delete': (client) => client.tickets.delete('tkt_dinner'),
  'tickets.move': (client) => client.tickets.move('tkt_radio', { board_id: 'brd_doing', position: 0 }),
  'tickets.comments.create': (client) =>
    client.tickets.comments.create('tkt_guidance', { body_html: '<p>Reads well.</p>' }),

  'documents.list': (client) => client.documents.list({ tags: ['launch', 'ops'], status: 'published' }),
  'documents.create': (client) =>
    client.documents.create({
      project_id: 'prj_apollo',
      title: 'Splashdown notes',
      editor_ids: ['usr_ada'],
      tag_names: ['landing'],
    }),
  'documents.get': (client) => client.documents.get('doc_runbook'),
  'documents.update': (client) => client.documents.update('doc_menu', { status: 'published' }),
  'documents.delete': (client) => client.documents.delete('doc_menu'),
  'documents.comments.create': (client) =>
    client.documents.comments.create('doc_runbook', { body_html: '<p>Printed and on the wall.</p>' }),

  'notifications.send': (client) =>
    client.notifications.send({
      user_ids: ['usr_ada', 'usr_bob'],
      title: 'Launch at nine',
      body: 'Bring sunglasses.',
      url: '/app/projects/apollo',
    }),
};
