import { randomUUID } from 'node:crypto';

/** How the deployment treats details that the API's specification leaves open. Tests can change this at any time. */
export interface Settings {
  /** How ticket lists are sorted: by board and position, or by creation time or update time, latest first. */
  order: 'position' | 'created' | 'updated';
  /** The time until a new record appears in lists, in milliseconds. */
  listLag: number;
  /** How far the deployment's clock is ahead, in milliseconds. */
  clockOffset: number;
  /** Returns the title that is stored. */
  cleanTitle(title: string): string;
  /** Returns the HTML that is stored. */
  cleanHtml(html: string): string;
  /** Returns the fields that are stored for those in a request. */
  normalize?(fields: Body): Body;
  /** Returns the text to search for. */
  cleanQuery(q: string): string;
  /** Whether `q` searches descriptions as well as titles. */
  searchesHtml: boolean;
}

export type Body = Record<string, unknown>;
export type Query = Record<string, string>;

/** The key for data that isn't part of responses. It's a symbol because `JSON.stringify` ignores symbols. */
const hidden = Symbol('hidden');

interface Stored {
  id: string;
  created_at: string;
  updated_at: string;
  creator?: Actor;
  [hidden]: { listedFrom: number; created: number; updated: number; searchable: string };
}

interface Board extends Stored {
  project_id: string;
}

export interface Ticket extends Stored {
  project_id: string;
  board_id: string;
  priority: string;
  position: number;
  title: string;
  description_html: string | null;
  archived_at: string | null;
}

type Actor = { type: 'api_credential' | 'user'; id: string; name: string };

/** The credential whose token the deployment accepts. */
export const credential: Actor = { type: 'api_credential', id: 'credential-7', name: 'Import' };
/** A person who uses the web application. */
export const colleague: Actor = { type: 'user', id: 'user-3', name: 'Grace' };

/** An error response. */
export class Rejection extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly errors?: Record<string, string[]>,
  ) {
    super(message);
  }
}

/** A deployment's records and their rules. */
export class Records {
  readonly projects = new Map<string, Stored>();
  readonly boards = new Map<string, Board>();
  readonly tickets = new Map<string, Ticket>();
  readonly settings: Settings;
  /** Each board's tickets, in order. */
  readonly #order = new Map<string, Ticket[]>();
  #sequence = 0;

  constructor(settings: Settings) {
    this.settings = settings;
  }

  addProject(name: string): Stored {
    const project = { name, key: name.slice(0, 3).toUpperCase(), description: null };
    return this.#add(this.projects, { ...project, organization_id: 'organization-1', archived_at: null });
  }

  addBoard(project: string, name: string): Board {
    const board = this.#add(this.boards, { name, project_id: find(this.projects, project).id });
    this.#order.set(board.id, []);
    return board;
  }

  addTicket(project: string, { board_id, title, ...fields }: Body, creator: Actor): Ticket {
    find(this.projects, project);
    const order = this.onBoard(`${board_id}`);
    const ticket = this.#add(this.tickets, {
      ...{ description_html: null, priority: 'normal', due_at: null, started_at: null, completed_at: null },
      ...{ assignees: [], labels: [], tags: [] },
      ...fields,
      ...{ title: required('title', title, 500), project_id: project, board_id },
      ...{ number: ++this.#sequence, position: order.length, archived_at: null },
      ...{ creator, api_credential_id: creator === credential ? creator.id : null },
    });
    order.push(ticket);
    return ticket;
  }

  updateTicket(id: string, { title, ...fields }: Body): Ticket {
    const changes = title === undefined ? {} : { title: required('title', title, 500) };
    return this.#change(find(this.tickets, id), { ...fields, ...changes });
  }

  /** Moves a ticket to a position, or to the end of a board. */
  moveTicket(id: string, board: unknown, position = Number.POSITIVE_INFINITY): Ticket {
    const ticket = find(this.tickets, id);
    this.#takeFromBoard(ticket);
    const order = this.onBoard(`${board}`);
    order.splice(position, 0, ticket);
    renumber(order);
    return this.#change(ticket, { board_id: board });
  }

  deleteTicket(id: string): void {
    this.#takeFromBoard(find(this.tickets, id));
    this.tickets.delete(id);
  }

  /** Returns a board's tickets, in order. */
  onBoard(board: string): Ticket[] {
    const order = this.#order.get(board);
    if (!order) throw invalid('board_id', 'The selected board is invalid.');
    return order;
  }

  listTickets(project: string, { board_id, q }: Query): Ticket[] {
    find(this.projects, project);
    const boards = [...this.boards.values()].filter(
      (board) => board.project_id === project && (!board_id || board.id === board_id),
    );
    const found = boards.flatMap(({ id }) => this.onBoard(id)).filter(this.#listed(q));
    const { order } = this.settings;
    if (order !== 'position') found.sort((one, other) => other[hidden][order] - one[hidden][order]);
    return found;
  }

  /** Returns a filter like `LIKE '%q%'` in a database that ignores case. */
  #listed(q = ''): (record: Stored) => boolean {
    const text = this.settings.cleanQuery(q.trim()).toLowerCase();
    const now = performance.now();
    return ({ [hidden]: { listedFrom, searchable } }) => listedFrom <= now && searchable.includes(text);
  }

  #add<Found extends Stored>(records: Map<string, Found>, fields: Body): Found {
    const created_at = this.#time();
    const meta = { listedFrom: performance.now() + this.settings.listLag, created: ++this.#sequence };
    const record = { id: randomUUID(), ...fields, created_at, [hidden]: meta } as unknown as Found;
    records.set(record.id, this.#change(record, fields));
    return record;
  }

  #change<Found extends Stored>(record: Found, { archived, ...sent }: Body): Found {
    const changes = this.settings.normalize?.(sent) ?? sent;
    const { cleanTitle, cleanHtml, searchesHtml } = this.settings;
    const fields: Body = Object.assign(record, changes, { updated_at: this.#time() });
    if (archived !== undefined) fields.archived_at = archived ? record.updated_at : null;
    if (changes.title) fields.title = cleanTitle(`${changes.title}`);
    const { description_html: description } = changes;
    if (typeof description === 'string') fields.description_html = cleanHtml(description);
    const html = searchesHtml ? `\n${fields.description_html ?? ''}` : '';
    record[hidden].updated = ++this.#sequence;
    record[hidden].searchable = `${fields.title}${html}`.toLowerCase();
    return record;
  }

  #time(): string {
    return inSeconds(Date.now() + this.settings.clockOffset);
  }

  #takeFromBoard(ticket: Ticket): void {
    const order = this.onBoard(ticket.board_id);
    order.splice(ticket.position, 1);
    renumber(order);
  }
}

/** @throws Rejection with status 404 if there is no record with this ID */
export function find<Found>(records: Map<string, Found>, id: string): Found {
  const record = records.get(id);
  if (!record) throw new Rejection(404, 'No query results for this model.');
  return record;
}

/** Formats a time like a database column with a precision of one second. */
const inSeconds = (time: number) => `${new Date(time).toISOString().slice(0, 19)}.000000Z`;

function renumber(order: Ticket[]): void {
  order.forEach((ticket, index) => {
    ticket.position = index;
  });
}

const invalid = (field: string, message: string) => new Rejection(422, message, { [field]: [message] });

function required(field: string, value: unknown, maxLength: number): string {
  const text = typeof value === 'string' ? value.trim() : '';
  if (!text) throw invalid(field, `The ${field} field is required.`);
  if ([...text].length > maxLength) throw invalid(field, `The ${field} field is too long.`);
  return text;
}
