import type { Method, OperationId, Scope } from 'worktrack/contract';

/** One row of the specification's table of endpoints, copied by hand: not derived from the contract it checks. */
export interface Endpoint {
  number: number;
  method: Method;
  path: string;
  scope: Scope;
  success: 200 | 201 | 204;
  /** Query or body fields, as the table names them. */
  payload: readonly string[];
  /** Where the table says "query" or "body". */
  in?: 'query' | 'body';
  /** Other statuses that the table lists. */
  others: readonly number[];
}

export const endpoints: Record<OperationId, Endpoint> = {
  'organization.get': row(
    1,
    'GET',
    '/organizations/{organization}',
    'organization:read',
    200,
    '',
    [401, 403],
  ),
  'projects.list': row(2, 'GET', '/organizations/{organization}/projects', 'projects:read', 200, '', []),
  'projects.create': row(
    3,
    'POST',
    '/organizations/{organization}/projects',
    'projects:write',
    201,
    'body: name, key, description',
    [422],
  ),
  'projects.get': row(4, 'GET', '/projects/{project}', 'projects:read', 200, '', []),
  'projects.update': row(
    5,
    'PATCH',
    '/projects/{project}',
    'projects:write',
    200,
    'body: name, description, archived',
    [422],
  ),
  'projects.delete': row(6, 'DELETE', '/projects/{project}', 'projects:write', 204, '', []),
  'projects.members.list': row(7, 'GET', '/projects/{project}/members', 'projects:read', 200, '', []),
  'projects.labels.list': row(8, 'GET', '/projects/{project}/labels', 'projects:read', 200, '', []),
  'boards.list': row(9, 'GET', '/projects/{project}/boards', 'boards:read', 200, '', []),
  'boards.create': row(
    10,
    'POST',
    '/projects/{project}/boards',
    'boards:write',
    201,
    'body: name, color, wip_limit, is_done',
    [422],
  ),
  'boards.reorder': row(
    11,
    'PUT',
    '/projects/{project}/boards/reorder',
    'boards:write',
    200,
    'body: board_ids',
    [422],
  ),
  'boards.update': row(
    12,
    'PATCH',
    '/boards/{board}',
    'boards:write',
    200,
    'body: name, color, wip_limit, is_done, is_hidden',
    [],
  ),
  'boards.delete': row(13, 'DELETE', '/boards/{board}', 'boards:write', 204, 'body: move_to_board_id', [422]),
  'tickets.list': row(
    14,
    'GET',
    '/projects/{project}/tickets',
    'tickets:read',
    200,
    'query: board_id, q, per_page',
    [],
  ),
  'tickets.create': row(
    15,
    'POST',
    '/projects/{project}/tickets',
    'tickets:write',
    201,
    'body: board_id, board_slug, title, description_html, priority, due_at, assignee_ids, label_ids',
    [422],
  ),
  'tickets.reorder': row(
    16,
    'PUT',
    '/projects/{project}/tickets/reorder',
    'tickets:write',
    204,
    'body: board_id, ticket_ids',
    [422],
  ),
  'projects.analytics.get': row(17, 'GET', '/projects/{project}/analytics', 'analytics:read', 200, '', []),
  'tickets.get': row(18, 'GET', '/tickets/{ticket}', 'tickets:read', 200, '', []),
  'tickets.update': row(
    19,
    'PATCH',
    '/tickets/{ticket}',
    'tickets:write',
    200,
    'body: title, description_html, priority, due_at, assignee_ids, label_ids, archived',
    [],
  ),
  'tickets.delete': row(20, 'DELETE', '/tickets/{ticket}', 'tickets:write', 204, '', []),
  'tickets.move': row(
    21,
    'POST',
    '/tickets/{ticket}/move',
    'tickets:write',
    200,
    'body: board_id, position',
    [422],
  ),
  'tickets.comments.create': row(
    22,
    'POST',
    '/tickets/{ticket}/comments',
    'comments:write',
    201,
    'body: body_html',
    [],
  ),
  'documents.list': row(
    23,
    'GET',
    '/organizations/{organization}/documents',
    'documents:read',
    200,
    'query: project_id, status, q, tags, per_page',
    [],
  ),
  'documents.create': row(
    24,
    'POST',
    '/organizations/{organization}/documents',
    'documents:write',
    201,
    'body: project_id, title, caption, content_html, status, editor_ids, tag_names',
    [422],
  ),
  'documents.get': row(25, 'GET', '/documents/{document}', 'documents:read', 200, '', []),
  'documents.update': row(
    26,
    'PATCH',
    '/documents/{document}',
    'documents:write',
    200,
    'body: project_id, title, caption, content_html, status, archived, editor_ids, tag_names',
    [422],
  ),
  'documents.delete': row(27, 'DELETE', '/documents/{document}', 'documents:write', 204, '', []),
  'documents.comments.create': row(
    28,
    'POST',
    '/documents/{document}/comments',
    'document_comments:write',
    201,
    'body: body_html',
    [422],
  ),
  'notifications.send': row(
    29,
    'POST',
    '/organizations/{organization}/notifications',
    'notifications:write',
    201,
    'body: user_ids, title, body, url',
    [422],
  ),
  'projects.tags.list': row(30, 'GET', '/projects/{project}/tags', 'projects:read', 200, '', []),
};

/** All operations, for loops. */
export const everyOperation = Object.keys(endpoints) as OperationId[];

function row(
  number: number,
  method: Method,
  path: string,
  scope: Scope,
  success: 200 | 201 | 204,
  payload: string,
  others: readonly number[],
): Endpoint {
  const [kind, fields = ''] = payload.split(': ');
  return {
    number,
    method,
    path,
    scope,
    success,
    payload: fields ? fields.split(', ') : [],
    ...(kind && { in: kind as 'query' | 'body' }),
    others,
  };
}
