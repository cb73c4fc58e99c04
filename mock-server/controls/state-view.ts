import type {
  Board,
  Document,
  DocumentComment,
  Member,
  Organization,
  Project,
  Ticket,
  TicketComment,
} from '../../src/contract/index.js';
import { viewBoard, viewDocument, viewOrganization, viewProject, viewTicket } from '../rules/views.js';
import { findLive, projectOf } from '../state/live.js';
import type { CommentRow, CredentialRow, NotificationRow } from '../state/rows.js';
import type { State } from '../state/state.js';

/** Read-only access to one kind of record. */
export interface Records<Item> {
  /** Returns the record with this ID, or undefined if it's unknown or deleted. */
  get(id: string): Item | undefined;
  /** Returns all records that aren't deleted. */
  all(): Item[];
  /** Returns the records for which `passes` returns true. Deleted records aren't included. */
  filter(passes: (item: Item) => boolean): Item[];
}

/** A credential on the mock server. */
export interface CredentialView extends Omit<CredentialRow, 'scopes'> {
  scopes: string[];
}

/** Read-only access to all of the server's records, in the format of API responses. */
export class StateView {
  readonly organizations: Records<Organization>;
  readonly users: Records<Member & { organization_id: string }>;
  /** Credentials, whose tokens serve as IDs in `get()`. */
  readonly credentials: Records<CredentialView>;
  readonly projects: Records<Project>;
  readonly boards: Records<Board>;
  readonly tickets: Records<Ticket>;
  readonly documents: Records<Document>;
  readonly comments: Records<TicketComment | DocumentComment>;
  readonly notifications: Records<NotificationRow>;

  constructor(state: State) {
    this.organizations = records(state.organizations, viewOrganization);
    this.users = records(state.users, (user) => user);
    this.credentials = records(state.credentials, (row) => ({ ...row, scopes: [...row.scopes] }));
    this.projects = records(state.projects, ({ id }) => {
      const row = findLive.project(state, id);
      return row && viewProject(row);
    });
    this.boards = records(state.boards, ({ id }) => {
      const row = findLive.board(state, id);
      return row && viewBoard(row, projectOf(state, row).boards.indexOf(state.boards.slotOf(id)));
    });
    this.tickets = records(state.tickets, ({ id }) => {
      const row = findLive.ticket(state, id);
      return row && viewTicket(state, row);
    });
    this.documents = records(state.documents, ({ id }) => {
      const row = findLive.document(state, id);
      return row && viewDocument(row);
    });
    this.comments = records(state.comments, (row: CommentRow) => row);
    this.notifications = records(state.notifications, (row) => row);
  }
}

function records<Row, Item extends object>(
  table: { get(id: string): Row | undefined; values(): Iterable<Row> },
  view: (row: Row) => Item | undefined,
): Records<Item> {
  const toItem = (row: Row) => {
    const item = view(row);
    return item && copyRecord(item);
  };
  const all = () => [...table.values()].flatMap((row) => toItem(row) ?? []);
  return {
    get(id) {
      const row = table.get(id);
      return row && toItem(row);
    },
    all,
    filter: (predicate) => all().filter(predicate),
  };
}

/**
 * Copies a record, including its lists and nested objects, which are at most one level deep. Tests get the
 * copy, so modifying it doesn't change the state.
 */
export function copyRecord<Item extends object>(record: Item): Item {
  const copy = { ...record };
  for (const field of Object.keys(copy) as (keyof Item)[]) {
    const value: unknown = copy[field];
    if (Array.isArray(value)) copy[field] = value.map(shallow) as Item[keyof Item];
    else copy[field] = shallow(value) as Item[keyof Item];
  }
  return copy;
}

const shallow = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? { ...value } : value;
