import { expect } from 'vitest';
import type { OperationId } from 'worktrack/contract';
import type { Json } from './support.js';

const keys = (names: string) => names.split(' ').sort();

/** The exact keys of each record. */
export const shapes = {
  organization: keys('id name created_at updated_at'),
  project: keys('id organization_id name key description archived_at created_at updated_at'),
  board: keys('id project_id name slug position color wip_limit is_done is_hidden created_at updated_at'),
  ticket: keys(
    'id project_id board_id number title description_html priority position due_at started_at completed_at ' +
      'api_credential_id creator assignees labels tags archived_at created_at updated_at',
  ),
  document: keys(
    'id organization_id project_id author_id author api_credential_id title caption content_html status tags ' +
      'editors published_at archived_at created_at updated_at',
  ),
  ticketComment: keys('id ticket_id body_html author created_at'),
  documentComment: keys('id document_id body_html author created_at'),
  member: keys('id name email role'),
  label: keys('id name color'),
  tag: keys('id name ticket_count'),
  analytics: keys('total done open overdue completion_percentage by_board'),
  boardAnalytics: keys('board_id board_name count done'),
  notification: keys('queued sent notification_ids'),
  actor: keys('type id name'),
  reference: keys('id name'),
  page: keys(
    'data current_page per_page last_page total from to path first_page_url last_page_url next_page_url ' +
      'prev_page_url links',
  ),
  pageLink: keys('url label active'),
} as const;

export type Shape = keyof typeof shapes;

/** What each operation answers with inside the envelope. */
export const results: Record<OperationId, { one: Shape } | { list: Shape } | { page: Shape } | undefined> = {
  'organization.get': { one: 'organization' },
  'projects.list': { list: 'project' },
  'projects.create': { one: 'project' },
  'projects.get': { one: 'project' },
  'projects.update': { one: 'project' },
  'projects.delete': undefined,
  'projects.members.list': { list: 'member' },
  'projects.labels.list': { list: 'label' },
  'projects.tags.list': { list: 'tag' },
  'projects.analytics.get': { one: 'analytics' },
  'boards.list': { list: 'board' },
  'boards.create': { one: 'board' },
  'boards.reorder': { list: 'board' },
  'boards.update': { one: 'board' },
  'boards.delete': undefined,
  'tickets.list': { page: 'ticket' },
  'tickets.create': { one: 'ticket' },
  'tickets.reorder': undefined,
  'tickets.get': { one: 'ticket' },
  'tickets.update': { one: 'ticket' },
  'tickets.delete': undefined,
  'tickets.move': { one: 'ticket' },
  'tickets.comments.create': { one: 'ticketComment' },
  'documents.list': { page: 'document' },
  'documents.create': { one: 'document' },
  'documents.get': { one: 'document' },
  'documents.update': { one: 'document' },
  'documents.delete': undefined,
  'documents.comments.create': { one: 'documentComment' },
  'notifications.send': { one: 'notification' },
};

/** Records within records, by the field that holds them. */
const nested: Partial<Record<string, Shape>> = {
  creator: 'actor',
  author: 'actor',
  assignees: 'reference',
  tags: 'reference',
  editors: 'reference',
  labels: 'label',
  by_board: 'boardAnalytics',
};

/** Expects a record to have exactly the keys of its shape, and so the records within it. */
export function expectShape(record: Json, shape: Shape): void {
  expect(Object.keys(record).sort(), shape).toEqual(shapes[shape]);
  for (const [field, value] of Object.entries<Json>(record)) {
    const inner = nested[field];
    if (!inner || value === null) continue;
    for (const item of Array.isArray(value) ? value : [value]) expectShape(item, inner);
  }
}
