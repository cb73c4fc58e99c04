import { inQuotes } from '../../src/shared/quote.js';
import { InvalidInputError } from './invalid-input-error.js';
import type { StateDump } from './state-dump.js';

/**
 * Checks that IDs are unique and that rows refer only to existing rows.
 *
 * @throws TypeError if a row is invalid; the message describes the first one
 */
export function checkReferences(dump: StateDump): void {
  const organizations = idsOf('organizations', dump.organizations);
  const users = idsOf('users', dump.users);
  const projects = idsOf('projects', dump.projects);
  const boards = idsOf('boards', dump.boards);
  const tickets = idsOf('tickets', dump.tickets);
  const documents = idsOf('documents', dump.documents);
  for (const list of ['comments', 'notifications'] as const) idsOf(list, dump[list]);
  idsOf(
    'credentials',
    dump.credentials.map(({ token }) => ({ id: token })),
  );
  idsOf(
    'documentTags',
    dump.documentTags.map(({ key }) => ({ id: key })),
  );

  each('organizations', dump.organizations, (row) => [all('users', row.users, users)]);
  each('users', dump.users, (row) => [one('organization_id', row.organization_id, organizations)]);
  each('credentials', dump.credentials, (row) => [
    one('organization_id', row.organization_id, organizations),
  ]);
  const projectOfBoard = new Map(dump.boards.map((board) => [board.id, board.project_id]));
  each('projects', dump.projects, (row) => [
    one('organization_id', row.organization_id, organizations),
    all('members', row.members, users),
    all('boards', row.boards, boards),
    row.boards.some((id) => projectOfBoard.get(id) !== row.id) &&
      'boards contains a board in another project',
    new Set(row.boards).size < row.boards.length && 'boards contains duplicates',
    new Set(row.tags.map(({ name }) => name)).size < row.tags.length && 'tags contains duplicates',
  ]);
  each('boards', dump.boards, (row) => [one('project_id', row.project_id, projects)]);
  const tagsOfProject = new Map(
    dump.projects.map(({ id, tags }) => [id, new Set(tags.map(({ name }) => name))]),
  );
  each('tickets', dump.tickets, (row) => [
    one('project_id', row.project_id, projects),
    one('board_id', row.board_id, boards),
    projectOfBoard.get(row.board_id) !== row.project_id && 'board_id refers to a board in another project',
    row.tags.some(({ name }) => !tagsOfProject.get(row.project_id)?.has(name)) &&
      "tags contains a tag that the ticket's project doesn't have",
  ]);
  each('documents', dump.documents, (row) => [
    one('organization_id', row.organization_id, organizations),
    row.project_id !== null && one('project_id', row.project_id, projects),
  ]);
  each('comments', dump.comments as CommentTarget[], ({ ticket_id, document_id = '' }) => [
    ticket_id === undefined
      ? one('document_id', document_id, documents)
      : one('ticket_id', ticket_id, tickets),
  ]);
  each('notifications', dump.notifications, (row) => [
    one('organization_id', row.organization_id, organizations),
    one('user_id', row.user_id, users),
  ]);
}

interface CommentTarget {
  ticket_id?: string;
  document_id?: string;
}

function idsOf(list: string, rows: readonly { id: string }[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const [index, { id }] of rows.entries()) {
    if (ids.has(id))
      throw new InvalidInputError(`state.${list}[${index}] has the same ID as another row: ${inQuotes(id)}`);
    ids.add(id);
  }
  return ids;
}

/** What's wrong with a row. False if the row is valid. */
type Problem = string | false;

function each<Row>(list: string, rows: readonly Row[], problemsOf: (row: Row) => Problem[]): void {
  for (const [index, row] of rows.entries()) {
    const problem = problemsOf(row).find((other) => other !== false);
    if (problem) throw new InvalidInputError(`state.${list}[${index}].${problem}`);
  }
}

const one = (field: string, id: string, ids: ReadonlySet<string>): Problem =>
  !ids.has(id) && `${field} ${inQuotes(id)} is unknown`;

function all(field: string, list: readonly string[], ids: ReadonlySet<string>): Problem {
  const unknown = list.find((id) => !ids.has(id));
  return unknown !== undefined && `${field} contains the unknown ID ${inQuotes(unknown)}`;
}
