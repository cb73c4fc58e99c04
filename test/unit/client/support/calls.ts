import type { OperationId, Worktrack } from 'worktrack';

/** One call per operation, with the request that it must send. */
export const calls = {
  'organization.get': [(c) => c.organization.get(), 'GET /organizations/org_acme'],
  'projects.list': [(c) => c.projects.list(), 'GET /organizations/org_acme/projects'],
  'projects.create': [
    (c) => c.projects.create({ name: 'A', key: 'K' }),
    'POST /organizations/org_acme/projects {"name":"A","key":"K"}',
  ],
  'projects.get': [(c) => c.projects.get('p'), 'GET /projects/p'],
  'projects.update': [
    (c) => c.projects.update('p', { archived: true }),
    'PATCH /projects/p {"archived":true}',
  ],
  'projects.delete': [(c) => c.projects.delete('p'), 'DELETE /projects/p'],
  'projects.members.list': [(c) => c.projects.members.list('p'), 'GET /projects/p/members'],
  'projects.labels.list': [(c) => c.projects.labels.list('p'), 'GET /projects/p/labels'],
  'projects.tags.list': [(c) => c.projects.tags.list('p'), 'GET /projects/p/tags'],
  'projects.analytics.get': [(c) => c.projects.analytics.get('p'), 'GET /projects/p/analytics'],
  'boards.list': [(c) => c.boards.list('p'), 'GET /projects/p/boards'],
  'boards.create': [(c) => c.boards.create('p', { name: 'B' }), 'POST /projects/p/boards {"name":"B"}'],
  'boards.reorder': [
    (c) => c.boards.reorder('p', { board_ids: ['b'] }),
    'PUT /projects/p/boards/reorder {"board_ids":["b"]}',
  ],
  'boards.update': [(c) => c.boards.update('b', { wip_limit: null }), 'PATCH /boards/b {"wip_limit":null}'],
  'boards.delete': [
    (c) => c.boards.delete('b', { move_to_board_id: 'c' }),
    'DELETE /boards/b {"move_to_board_id":"c"}',
  ],
  'tickets.list': [
    (c) => c.tickets.list('p', { q: 'a&b', per_page: 2 }),
    'GET /projects/p/tickets?q=a%26b&per_page=2',
  ],
  'tickets.create': [
    (c) => c.tickets.create('p', { board_slug: 'todo', title: 'T', due_at: new Date(0) }),
    'POST /projects/p/tickets {"board_slug":"todo","title":"T","due_at":"1970-01-01T00:00:00.000Z"}',
  ],
  'tickets.reorder': [
    (c) => c.tickets.reorder('p', { board_id: 'b', ticket_ids: [] }),
    'PUT /projects/p/tickets/reorder {"board_id":"b","ticket_ids":[]}',
  ],
  'tickets.get': [(c) => c.tickets.get('a/b c'), 'GET /tickets/a%2Fb%20c'],
  'tickets.update': [(c) => c.tickets.update('t', { title: 'U' }), 'PATCH /tickets/t {"title":"U"}'],
  'tickets.delete': [(c) => c.tickets.delete('t'), 'DELETE /tickets/t'],
  'tickets.move': [
    (c) => c.tickets.move('t', { board_id: 'b', position: 0 }),
    'POST /tickets/t/move {"board_id":"b","position":0}',
  ],
  'tickets.comments.create': [
    (c) => c.tickets.comments.create('t', { body_html: 'x' }),
    'POST /tickets/t/comments {"body_html":"x"}',
  ],
  'documents.list': [
    (c) => c.documents.list({ tags: ['a', 'b'] }),
    'GET /organizations/org_acme/documents?tags=a%2Cb',
  ],
  'documents.create': [
    (c) => c.documents.create({ title: 'D' }),
    'POST /organizations/org_acme/documents {"title":"D"}',
  ],
  'documents.get': [(c) => c.documents.get('d'), 'GET /documents/d'],
  'documents.update': [
    (c) => c.documents.update('d', { status: 'published' }),
    'PATCH /documents/d {"status":"published"}',
  ],
  'documents.delete': [(c) => c.documents.delete('d'), 'DELETE /documents/d'],
  'documents.comments.create': [
    (c) => c.documents.comments.create('d', { body_html: 'x' }),
    'POST /documents/d/comments {"body_html":"x"}',
  ],
  'notifications.send': [
    (c) => c.notifications.send({ user_ids: ['u'], title: 'T', body: 'B' }),
    'POST /organizations/org_acme/notifications {"user_ids":["u"],"title":"T","body":"B"}',
  ],
} satisfies Record<OperationId, [(client: Worktrack) => PromiseLike<unknown>, string]> as Record<
  OperationId,
  [(client: Worktrack) => PromiseLike<unknown>, string]
>;
