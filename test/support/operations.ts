import type { Worktrack } from 'worktrack';
import type { Method, OperationId, Scope } from 'worktrack/contract';

/**
 * An operation, copied by hand from the specification. Nothing here is derived from `src/contract`, so a mistake
 * in the contract makes a test fail.
 */
export interface Operation {
  /** The ID of the operation's rule in docs/specification.md. */
  rule: string;
  method: Method;
  path: string;
  scope: Scope;
  status: 200 | 201 | 204;
  /** The content of a successful response: a record, all records, a page of records, or nothing. */
  returns: { record: RecordName; as: 'one' | 'list' | 'page' } | undefined;
  /** The body fields, if any. */
  body: Fields;
  query: Fields;
  /** The error statuses that the specification lists for this operation. */
  errors: readonly number[];
  /** A body that the operation accepts with the seed data in `test/rules/world.ts`. */
  example: Body | undefined;
  /** Calls the operation with a client. */
  call: Call;
}

type Body = Record<string, unknown>;
type Call = (
  client: Worktrack,
  ids: Ids,
  // biome-ignore lint/suspicious/noExplicitAny: tests may pass invalid input on purpose
  input?: any,
  options?: { organization: string },
) => PromiseLike<unknown>;

/** The IDs for path parameters. */
export type Ids = Record<'organization' | 'project' | 'board' | 'ticket' | 'document', string>;

/** The specification's limits for a field. */
export interface Field {
  type: 'string' | 'integer' | 'boolean' | 'date-time' | 'strings';
  required?: true;
  nullable?: true;
  /** The maximum length in Unicode code points. */
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  /** The maximum length of each item in Unicode code points. */
  itemMaxLength?: number;
  oneOf?: readonly string[];
}

export type Fields = Readonly<Record<string, Field>>;

/** The exact fields of each record type in responses. */
export const recordFields = {
  organization: names('id name created_at updated_at'),
  project: names('id organization_id name key description archived_at created_at updated_at'),
  board: names('id project_id name slug position color wip_limit is_done is_hidden created_at updated_at'),
  ticket: names(
    'id project_id board_id number title description_html priority position due_at started_at completed_at ' +
      'api_credential_id creator assignees labels tags archived_at created_at updated_at',
  ),
  document: names(
    'id organization_id project_id author_id author api_credential_id title caption content_html status tags ' +
      'editors published_at archived_at created_at updated_at',
  ),
  ticketComment: names('id ticket_id body_html author created_at'),
  documentComment: names('id document_id body_html author created_at'),
  member: names('id name email role'),
  label: names('id name color'),
  tag: names('id name ticket_count'),
  analytics: names('total done open overdue completion_percentage by_board'),
  boardAnalytics: names('board_id board_name count done'),
  notification: names('queued sent notification_ids'),
  actor: names('type id name'),
  reference: names('id name'),
  page: names(
    'data current_page per_page last_page total from to path first_page_url last_page_url next_page_url ' +
      'prev_page_url links',
  ),
  pageLink: names('url label active'),
} as const;

export type RecordName = keyof typeof recordFields;

const id: Field = { type: 'string' };
const flag: Field = { type: 'boolean' };
const list: Field = { type: 'strings' };
const upTo = (maxLength: number): Field => ({ type: 'string', maxLength });
const required = (field: Field): Field => ({ ...field, required: true });
const orNull = (field: Field): Field => ({ ...field, nullable: true });

const boardFields: Fields = {
  color: orNull(upTo(32)),
  wip_limit: orNull({ type: 'integer', minimum: 1 }),
  is_done: flag,
};

const ticketFields: Fields = {
  description_html: orNull(upTo(200_000)),
  priority: { type: 'string', oneOf: ['lowest', 'low', 'normal', 'high', 'highest', 'critical'] },
  due_at: orNull({ type: 'date-time' }),
  assignee_ids: list,
  label_ids: list,
};

const status: Field = { type: 'string', oneOf: ['draft', 'published'] };

const documentFields: Fields = {
  project_id: orNull(id),
  caption: orNull(upTo(2000)),
  content_html: orNull(upTo(1_000_000)),
  status,
  editor_ids: { type: 'strings', maxItems: 100 },
  tag_names: { type: 'strings', maxItems: 20, itemMaxLength: 50 },
};

const commentFields: Fields = { body_html: required(upTo(200_000)) };

/** The specification doesn't name the page parameter. This package uses `page`. */
const paging: Fields = {
  per_page: { type: 'integer', minimum: 1, maximum: 200 },
  page: { type: 'integer', minimum: 1 },
};

/** All operations, in the same order as in docs/specification.md. */
export const operations: Record<OperationId, Operation> = numbered({
  'organization.get': row('GET /organizations/{organization}', 'organization:read', 200, 'organization', {
    errors: [401, 403],
    call: (client, _ids, _input, options) => client.organization.get(options),
  }),
  'projects.list': row('GET /organizations/{organization}/projects', 'projects:read', 200, 'project list', {
    call: (client, _ids, _input, options) => client.projects.list(options),
  }),
  'projects.create': row('POST /organizations/{organization}/projects', 'projects:write', 201, 'project', {
    body: { name: required(upTo(180)), key: required(upTo(12)), description: orNull(upTo(5000)) },
    errors: [422],
    example: { name: 'Hermes', key: 'HER' },
    call: (client, _ids, body, options) => client.projects.create(body, options),
  }),
  'projects.get': row('GET /projects/{project}', 'projects:read', 200, 'project', {
    call: (client, { project }) => client.projects.get(project),
  }),
  'projects.update': row('PATCH /projects/{project}', 'projects:write', 200, 'project', {
    body: { name: upTo(180), description: orNull(upTo(5000)), archived: flag },
    errors: [422],
    example: { name: 'Apollo 2' },
    call: (client, { project }, body) => client.projects.update(project, body),
  }),
  'projects.delete': row('DELETE /projects/{project}', 'projects:write', 204, undefined, {
    call: (client, { project }) => client.projects.delete(project),
  }),
  'projects.members.list': row('GET /projects/{project}/members', 'projects:read', 200, 'member list', {
    call: (client, { project }) => client.projects.members.list(project),
  }),
  'projects.labels.list': row('GET /projects/{project}/labels', 'projects:read', 200, 'label list', {
    call: (client, { project }) => client.projects.labels.list(project),
  }),
  'boards.list': row('GET /projects/{project}/boards', 'boards:read', 200, 'board list', {
    call: (client, { project }) => client.boards.list(project),
  }),
  'boards.create': row('POST /projects/{project}/boards', 'boards:write', 201, 'board', {
    body: { name: required(upTo(120)), ...boardFields },
    errors: [422],
    example: { name: 'Review' },
    call: (client, { project }, body) => client.boards.create(project, body),
  }),
  'boards.reorder': row('PUT /projects/{project}/boards/reorder', 'boards:write', 200, 'board list', {
    body: { board_ids: required(list) },
    errors: [422],
    example: { board_ids: ['brd_done', 'brd_doing', 'brd_todo'] },
    call: (client, { project }, body) => client.boards.reorder(project, body),
  }),
  'boards.update': row('PATCH /boards/{board}', 'boards:write', 200, 'board', {
    body: { name: upTo(120), ...boardFields, is_hidden: flag },
    example: { name: 'Next' },
    call: (client, { board }, body) => client.boards.update(board, body),
  }),
  'boards.delete': row('DELETE /boards/{board}', 'boards:write', 204, undefined, {
    body: { move_to_board_id: id },
    errors: [422],
    example: { move_to_board_id: 'brd_done' },
    call: (client, { board }, body) => client.boards.delete(board, body),
  }),
  'tickets.list': row('GET /projects/{project}/tickets', 'tickets:read', 200, 'ticket page', {
    query: { board_id: id, q: id, ...paging },
    call: (client, { project }, query) => client.tickets.list(project, query),
  }),
  'tickets.create': row('POST /projects/{project}/tickets', 'tickets:write', 201, 'ticket', {
    body: { board_id: id, board_slug: id, title: required(upTo(500)), ...ticketFields },
    errors: [422],
    example: { board_id: 'brd_todo', title: 'Launch' },
    call: (client, { project }, body) => client.tickets.create(project, body),
  }),
  'tickets.reorder': row('PUT /projects/{project}/tickets/reorder', 'tickets:write', 204, undefined, {
    body: { board_id: required(id), ticket_ids: required(list) },
    errors: [422],
    example: { board_id: 'brd_todo', ticket_ids: ['tkt_c', 'tkt_b', 'tkt_a'] },
    call: (client, { project }, body) => client.tickets.reorder(project, body),
  }),
  'projects.analytics.get': row('GET /projects/{project}/analytics', 'analytics:read', 200, 'analytics', {
    call: (client, { project }) => client.projects.analytics.get(project),
  }),
  'tickets.get': row('GET /tickets/{ticket}', 'tickets:read', 200, 'ticket', {
    call: (client, { ticket }) => client.tickets.get(ticket),
  }),
  'tickets.update': row('PATCH /tickets/{ticket}', 'tickets:write', 200, 'ticket', {
    body: { title: upTo(500), ...ticketFields, archived: flag },
    example: { title: 'Alpha 2' },
    call: (client, { ticket }, body) => client.tickets.update(ticket, body),
  }),
  'tickets.delete': row('DELETE /tickets/{ticket}', 'tickets:write', 204, undefined, {
    call: (client, { ticket }) => client.tickets.delete(ticket),
  }),
  'tickets.move': row('POST /tickets/{ticket}/move', 'tickets:write', 200, 'ticket', {
    body: { board_id: required(id), position: { type: 'integer', minimum: 0 } },
    errors: [422],
    example: { board_id: 'brd_doing', position: 0 },
    call: (client, { ticket }, body) => client.tickets.move(ticket, body),
  }),
  'tickets.comments.create': row('POST /tickets/{ticket}/comments', 'comments:write', 201, 'ticketComment', {
    body: commentFields,
    example: { body_html: '<p>Well done</p>' },
    call: (client, { ticket }, body) => client.tickets.comments.create(ticket, body),
  }),
  'documents.list': row(
    'GET /organizations/{organization}/documents',
    'documents:read',
    200,
    'document page',
    {
      query: { project_id: id, status, q: id, tags: id, ...paging },
      call: (client, _ids, query, options) => client.documents.list(query, options),
    },
  ),
  'documents.create': row(
    'POST /organizations/{organization}/documents',
    'documents:write',
    201,
    'document',
    {
      body: { title: required(upTo(500)), ...documentFields },
      errors: [422],
      example: { title: 'Runbook' },
      call: (client, _ids, body, options) => client.documents.create(body, options),
    },
  ),
  'documents.get': row('GET /documents/{document}', 'documents:read', 200, 'document', {
    call: (client, { document }) => client.documents.get(document),
  }),
  'documents.update': row('PATCH /documents/{document}', 'documents:write', 200, 'document', {
    body: { title: upTo(500), ...documentFields, archived: flag },
    errors: [422],
    example: { title: 'Guide 2' },
    call: (client, { document }, body) => client.documents.update(document, body),
  }),
  'documents.delete': row('DELETE /documents/{document}', 'documents:write', 204, undefined, {
    call: (client, { document }) => client.documents.delete(document),
  }),
  'documents.comments.create': row(
    'POST /documents/{document}/comments',
    'document_comments:write',
    201,
    'documentComment',
    {
      body: commentFields,
      errors: [422],
      example: { body_html: '<p>Thank you</p>' },
      call: (client, { document }, body) => client.documents.comments.create(document, body),
    },
  ),
  'notifications.send': row(
    'POST /organizations/{organization}/notifications',
    'notifications:write',
    201,
    'notification',
    {
      body: {
        user_ids: required({ type: 'strings', minItems: 1, maxItems: 100 }),
        title: required(upTo(180)),
        body: required(upTo(2000)),
        url: orNull(id),
      },
      errors: [422],
      example: { user_ids: ['usr_bob'], title: 'Release', body: 'It is out.' },
      call: (client, _ids, body, options) => client.notifications.send(body, options),
    },
  ),
  'projects.tags.list': row('GET /projects/{project}/tags', 'projects:read', 200, 'tag list', {
    call: (client, { project }) => client.projects.tags.list(project),
  }),
});

/** The IDs of all operations. */
export const everyOperation = Object.keys(operations) as OperationId[];

export const everyScope = [...new Set(everyOperation.map((id) => operations[id].scope))].sort();

/** All fields of all request bodies. */
export const everyBodyField = everyOperation.flatMap((operation) =>
  Object.entries(operations[operation].body).map(([name, field]) => ({ operation, name, field })),
);

function row(
  request: `${Method} ${string}`,
  scope: Scope,
  status: Operation['status'],
  result: RecordName | `${RecordName} list` | `${RecordName} page` | undefined,
  rest: Partial<Pick<Operation, 'body' | 'query' | 'errors' | 'example'>> & Pick<Operation, 'call'>,
): Omit<Operation, 'rule'> {
  const [method, path] = request.split(' ') as [Method, string];
  const [record, as = 'one'] = (result ?? '').split(' ') as [RecordName, 'one' | 'list' | 'page'];
  return {
    method,
    path,
    scope,
    status,
    returns: result && { record, as },
    body: {},
    query: {},
    errors: [],
    example: undefined,
    ...rest,
  };
}

function numbered(rows: Record<OperationId, Omit<Operation, 'rule'>>): Record<OperationId, Operation> {
  const entries = Object.entries(rows).map(([id, row], index) => [id, { ...row, rule: `O-${index + 1}` }]);
  return Object.fromEntries(entries);
}

function names(text: string): readonly string[] {
  return text.split(' ').sort();
}
