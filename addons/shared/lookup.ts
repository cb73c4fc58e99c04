import type { Board, Label, Member, Project, Ticket } from '../../src/contract/index.js';
import type { Worktrack } from '../../src/index.js';
import { ifAllowed, inQuotes, shorten } from '../../src/internal.js';
import { LookupError, Names } from './names.js';

/** Options for {@link Lookup}. */
export interface LookupOptions {
  signal?: AbortSignal | undefined;
  /**
   * The maximum number of tickets to read in a project. If a ticket isn't among them, the lookup fails.
   *
   * @defaultValue Infinity
   */
  maxTickets?: number | undefined;
}

/** A project that was looked up. If the credential can't list projects, only its ID is known. */
export type FoundProject = Pick<Project, 'id'> & Partial<Project>;

/** A ticket that was looked up. If the reference was an ID, only the ID is known. */
export type FoundTicket = Pick<Ticket, 'id'> & Partial<Pick<Ticket, 'project_id' | 'number' | 'title'>>;

/** The kinds of records that can be referred to by name. */
export type ReferenceKind = 'project' | 'board' | 'ticket' | 'label' | 'member' | 'user';

/** Maps each field that contains IDs to the kind of record it refers to. */
export const referenceKinds: Readonly<Record<string, ReferenceKind>> = {
  assignee_ids: 'member',
  board_id: 'board',
  board_ids: 'board',
  editor_ids: 'user',
  label_ids: 'label',
  move_to_board_id: 'board',
  project_id: 'project',
  ticket_ids: 'ticket',
  user_ids: 'user',
};

/** The record that a request's path refers to. */
export interface Target {
  /** The record's ID, or undefined if the path has none. */
  id: string | undefined;
  /** Returns the project ID. Omitted if the project is unknown. */
  project?: () => Promise<string>;
}

/**
 * Finds records by name for a single command. Names are case-insensitive. If no record matches, or more than
 * one does, the lookup fails instead of guessing. Each list is read only once.
 */
export class Lookup {
  readonly #client: Worktrack;
  readonly #options: LookupOptions;
  readonly #lists = new Map<string, unknown>();

  constructor(client: Worktrack, options: LookupOptions = {}) {
    this.#client = client;
    this.#options = options;
  }

  /**
   * Finds a project by its ID, key, or name. If the credential lacks the scope to list projects, the
   * reference must be an ID.
   */
  async project(reference: string): Promise<FoundProject> {
    const projects = await this.projects();
    return projects ? projects.find(reference) : { id: reference.trim() };
  }

  /** Finds one of a project's boards by its ID, slug, or name. */
  async board(reference: string, project: string): Promise<Board> {
    return (await this.boards(project)).find(reference);
  }

  boards(project: string): Promise<Names<Board>> {
    const names = async () => new Names('board', await this.#client.boards.list(project, this.#call()));
    return this.#once(`boards of ${project}`, names);
  }

  labels(project: string): Promise<Names<Label>> {
    const list = () => this.#client.projects.labels.list(project, this.#call());
    return this.#once(`labels of ${project}`, async () => new Names('label', await list()));
  }

  /** Returns a project's members, who can be found by ID, email address, or name. */
  members(project: string): Promise<Names<Member>> {
    const list = () => this.#client.projects.members.list(project, this.#call());
    return this.#once(`members of ${project}`, async () => new Names('member', await list()));
  }

  /** Returns the members of all projects, because the API can't list the organization's users. */
  users(): Promise<Names<Member>> {
    return this.#once('users', async () => {
      const users = new Map<string, Member>();
      for (const { id } of await this.#client.projects.list(this.#call())) {
        for (const member of (await this.members(id)).records) users.set(member.id, member);
      }
      return new Names('member', [...users.values()], ' of any project');
    });
  }

  /**
   * Finds a ticket by its project's key and its number, such as `APO-3`. Any other reference is treated as an
   * ID and isn't looked up.
   */
  async ticket(reference: string): Promise<FoundTicket> {
    const text = reference.trim();
    const [, key = '', digits] = /^(.+)-([1-9]\d{0,14})$/.exec(text) ?? [];
    const projects = digits ? await this.projects() : undefined;
    const project = projects?.withKey(key);
    return project ? this.ticketNumber(project.id, Number(digits), text) : { id: text };
  }

  async ticketNumber(project: string, number: number, name = `${number}`): Promise<FoundTicket> {
    const tickets = await this.#once(
      `tickets of ${project}`,
      async () => new TicketNumbers(this.#client, project, this.#options),
    );
    const ticket = await tickets.find(number);
    if (ticket) return ticket;
    const problem = tickets.isLimited
      ? `ticket ${name} is not among the first ${this.#options.maxTickets} tickets of the project; pass its ID`
      : `there is no ticket ${name}`;
    throw new LookupError('unknown', problem);
  }

  /** Finds the record that a path parameter refers to, such as `APO-3` or `APO/Doing`. */
  async target(parameter: string | undefined, reference: string): Promise<Target> {
    if (parameter === 'project') {
      const { id } = await this.project(reference);
      return { id, project: async () => id };
    }
    if (parameter === 'ticket') {
      const { id, project_id } = await this.ticket(reference);
      const readProject = async () => (await this.#client.tickets.get(id, this.#call())).project_id;
      return { id, project: async () => project_id ?? readProject() };
    }
    // A board ID isn't checked, because the API has no endpoint for a single board.
    if (parameter !== 'board' || !reference.includes('/')) return { id: parameter && reference };
    const { id, project_id } = await this.#boardOfProject(reference);
    return { id, project: async () => project_id };
  }

  /** Returns the ID of a record that a field refers to. */
  async id(kind: ReferenceKind, reference: string, { project }: Target): Promise<string> {
    if (kind === 'project') return (await this.project(reference)).id;
    if (kind === 'ticket') return (await this.ticket(reference)).id;
    if (kind === 'user') return (await this.users()).find(reference).id;
    if (!project) return (await this.#boardOfProject(reference)).id;
    const id = await project();
    if (kind === 'board') return (await this.board(reference, id)).id;
    return (await (kind === 'label' ? this.labels(id) : this.members(id))).find(reference).id;
  }

  /** Finds a board by its project and name, such as `APO/Doing`. */
  async #boardOfProject(reference: string): Promise<Board> {
    const slash = reference.indexOf('/');
    if (slash < 0) {
      const problem = `${inQuotes(reference)} could be a board in any project; add the project, as in APO/${shorten(reference, 60)}`;
      throw new LookupError('ambiguous', problem);
    }
    const { id } = await this.project(reference.slice(0, slash));
    return this.board(reference.slice(slash + 1), id);
  }

  /** Returns undefined if the credential can't list projects. */
  projects(): Promise<Names<Project> | undefined> {
    return this.#once('projects', async () => {
      const projects = await ifAllowed(this.#client.projects.list(this.#call()));
      return projects && new Names('project', projects, '');
    });
  }

  #call() {
    return { signal: this.#options.signal };
  }

  #once<Value>(name: string, read: () => Promise<Value>): Promise<Value> {
    const value = (this.#lists.get(name) as Promise<Value> | undefined) ?? read();
    this.#lists.set(name, value);
    return value;
  }
}

/**
 * A project's tickets by number. Reads only as many tickets as needed, but reads every ticket before it
 * reports a number as unknown.
 */
class TicketNumbers {
  readonly #pages: AsyncIterator<{ data: Ticket[] }>;
  readonly #maxTickets: number;
  readonly #found = new Map<number, FoundTicket>();
  #read: Promise<void> | undefined;
  #isComplete = false;

  constructor(client: Worktrack, project: string, { signal, maxTickets = Infinity }: LookupOptions) {
    this.#pages = client.tickets.list(project, {}, { signal }).pages({ complete: true });
    this.#maxTickets = maxTickets;
  }

  get isLimited(): boolean {
    return this.#found.size >= this.#maxTickets;
  }

  async find(wanted: number): Promise<FoundTicket | undefined> {
    while (!this.#found.has(wanted) && !this.#isComplete && !this.isLimited) {
      // Concurrent calls share the same page request.
      this.#read ??= this.#readPage();
      await this.#read;
    }
    return this.#found.get(wanted);
  }

  async #readPage(): Promise<void> {
    const { done, value } = await this.#pages.next();
    this.#isComplete = done === true;
    for (const { id, project_id, number, title } of value?.data ?? []) {
      this.#found.set(number, { id, project_id, number, title });
    }
    this.#read = undefined;
  }
}
