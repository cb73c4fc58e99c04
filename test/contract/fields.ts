import type { OperationId } from 'worktrack/contract';

/** What the specification says of one field, copied by hand from its tables: not derived from the contract. */
export interface Field {
  type: 'string' | 'integer' | 'boolean' | 'date-time' | 'strings';
  required?: true;
  nullable?: true;
  /** Unicode code points. */
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  /** Unicode code points of each item. */
  itemMaxLength?: number;
  oneOf?: readonly string[];
}

export type Fields = Readonly<Record<string, Field>>;

const id: Field = { type: 'string' };
const flag: Field = { type: 'boolean' };
const list: Field = { type: 'strings' };
const upTo = (maxLength: number): Field => ({ type: 'string', maxLength });
const required = (field: Field): Field => ({ ...field, required: true });
const orNull = (field: Field): Field => ({ ...field, nullable: true });

const board: Fields = {
  color: orNull(upTo(32)),
  wip_limit: orNull({ type: 'integer', minimum: 1 }),
  is_done: flag,
};

const ticket: Fields = {
  description_html: orNull(upTo(200_000)),
  priority: { type: 'string', oneOf: ['lowest', 'low', 'normal', 'high', 'highest', 'critical'] },
  due_at: orNull({ type: 'date-time' }),
  assignee_ids: list,
  label_ids: list,
};

const document: Fields = {
  project_id: orNull(id),
  caption: orNull(upTo(2000)),
  content_html: orNull(upTo(1_000_000)),
  status: { type: 'string', oneOf: ['draft', 'published'] },
  editor_ids: { type: 'strings', maxItems: 100 },
  tag_names: { type: 'strings', maxItems: 20, itemMaxLength: 50 },
};

const comment: Fields = { body_html: required(upTo(200_000)) };

const perPage: Field = { type: 'integer', minimum: 1, maximum: 200 };

/** Every field of every request body. */
export const bodyFields: Record<OperationId, Fields> = {
  'organization.get': {},
  'projects.list': {},
  'projects.create': {
    name: required(upTo(180)),
    key: required(upTo(12)),
    description: orNull(upTo(5000)),
  },
  'projects.get': {},
  'projects.update': { name: upTo(180), description: orNull(upTo(5000)), archived: flag },
  'projects.delete': {},
  'projects.members.list': {},
  'projects.labels.list': {},
  'projects.tags.list': {},
  'projects.analytics.get': {},
  'boards.list': {},
  'boards.create': { name: required(upTo(120)), ...board },
  'boards.reorder': { board_ids: required(list) },
  'boards.update': { name: upTo(120), ...board, is_hidden: flag },
  'boards.delete': { move_to_board_id: id },
  'tickets.list': {},
  'tickets.create': { board_id: id, board_slug: id, title: required(upTo(500)), ...ticket },
  'tickets.reorder': { board_id: required(id), ticket_ids: required(list) },
  'tickets.get': {},
  'tickets.update': { title: upTo(500), ...ticket, archived: flag },
  'tickets.delete': {},
  'tickets.move': { board_id: required(id), position: { type: 'integer', minimum: 0 } },
  'tickets.comments.create': comment,
  'documents.list': {},
  'documents.create': { title: required(upTo(500)), ...document },
  'documents.get': {},
  'documents.update': { title: upTo(500), ...document, archived: flag },
  'documents.delete': {},
  'documents.comments.create': comment,
  'notifications.send': {
    user_ids: required({ type: 'strings', minItems: 1, maxItems: 100 }),
    title: required(upTo(180)),
    body: required(upTo(2000)),
    url: orNull(id),
  },
};

/** Every query parameter; `page` is the page selector that this package chose. */
export const queryFields: Partial<Record<OperationId, Fields>> = {
  'tickets.list': { board_id: id, q: id, per_page: perPage },
  'documents.list': {
    project_id: id,
    status: { type: 'string', oneOf: ['draft', 'published'] },
    q: id,
    tags: id,
    per_page: perPage,
  },
};

/** Every body field with its operation, as rows for table-driven tests. */
export const everyBodyField = Object.entries(bodyFields).flatMap(([operation, fields]) =>
  Object.entries(fields).map(([name, field]) => ({ operation: operation as OperationId, name, field })),
);
