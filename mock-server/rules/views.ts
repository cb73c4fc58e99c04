import type { Actor, Board, Document, Organization, Project, Ticket } from '../../src/contract/index.js';
import { plainText } from '../../src/shared/plain-text.js';
import type {
  BoardRow,
  CredentialRow,
  DocumentRow,
  OrganizationRow,
  ProjectRow,
  TicketRow,
} from '../state/rows.js';
import type { State } from '../state/state.js';
import { positionOf } from '../state/tickets.js';

// These functions convert rows to response records, with the fields in the same order as in the API.

export const viewOrganization = (row: OrganizationRow): Organization => ({
  id: row.id,
  name: row.name,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

export const viewProject = (row: ProjectRow): Project => ({
  id: row.id,
  organization_id: row.organization_id,
  name: row.name,
  key: row.key,
  description: row.description,
  archived_at: row.archived_at,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

export const viewBoard = (row: BoardRow, position: number): Board => ({
  id: row.id,
  project_id: row.project_id,
  name: row.name,
  slug: row.slug,
  position,
  color: row.color,
  wip_limit: row.wip_limit,
  is_done: row.is_done,
  is_hidden: row.is_hidden,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

/** @param position the ticket's index on its board. If omitted, the function looks it up. */
export const viewTicket = (state: State, row: TicketRow, position = positionOf(state, row)): Ticket => ({
  id: row.id,
  project_id: row.project_id,
  board_id: row.board_id,
  number: row.number,
  title: row.title,
  description_html: row.description_html,
  priority: row.priority,
  position,
  due_at: row.due_at,
  started_at: row.started_at,
  completed_at: row.completed_at,
  api_credential_id: row.api_credential_id,
  creator: row.creator,
  assignees: row.assignees,
  labels: row.labels,
  tags: row.tags,
  archived_at: row.archived_at,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

export function viewDocument({ ordinal: _, deleted_at: __, ...document }: DocumentRow): Document {
  return document;
}

/** Returns a credential's ID and name, which represent it as a record's creator or author. */
export const actor = ({ id, name }: CredentialRow): Actor => ({ type: 'api_credential', id, name });

/** Returns a ticket's searchable strings. Each string is searched separately. */
export const ticketTexts = ({ title, description_html }: TicketRow): string[] => [
  title,
  plainText(description_html ?? ''),
];

/** Returns a document's searchable strings. Each string is searched separately. */
export const documentTexts = ({ title, caption, content_html }: DocumentRow): string[] => [
  title,
  caption ?? '',
  plainText(content_html ?? ''),
];
