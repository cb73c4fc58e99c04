import type {
  CreateComment,
  ListTicketsQuery,
  MoveTicket,
  ReorderTickets,
  Ticket,
  TicketComment,
  UpdateTicket,
} from '../contract/index.js';
import type { NewTicket } from '../hooks.js';
import type { FindByKeyOptions, FindOptions } from '../http/find-or-create.js';
import { Resource } from '../http/operation-client.js';
import type { PageList } from '../http/pagination.js';
import type { ApiPromise } from '../http/read-response.js';
import type { RecordStore } from '../http/record-search.js';
import type { CallOptions, ListOptions } from '../options.js';

/** The tickets on a project's boards. */
export class Tickets extends Resource {
  /** Ticket comments. */
  readonly comments = new TicketComments(this.operations);

  /**
   * Lists a project's tickets in pages, ordered by board and position. Requires the `tickets:read` scope.
   *
   * @param query filters, and `per_page` (1 to 200, 50 by default)
   *
   * @example
   * ```ts
   * for await (const ticket of client.tickets.list(project.id, { q: 'launch' })) console.log(ticket.title);
   * ```
   */
  list(project: string, query?: ListTicketsQuery, options?: ListOptions): PageList<Ticket> {
    return this.operations.list('tickets.list', { params: { project }, query }, options);
  }

  /**
   * Creates a ticket at the end of a board. Requires the `tickets:write` scope.
   *
   * The call isn't retried if the response is lost. Check the error's `outcome` before you retry.
   *
   * @param body the title (up to 500 characters), the description (up to 200,000), and either `board_id` or
   * `board_slug`
   * @throws {@link UnprocessableError} if the board is full or unknown, or an assignee or label is unknown
   * (`wip_limit_reached`, `invalid_board`, `invalid_relation`)
   *
   * @example
   * ```ts
   * const ticket = await client.tickets.create(project.id, { board_id: todo.id, title: 'Launch' });
   * ```
   */
  create(project: string, body: NewTicket, options?: CallOptions): ApiPromise<Ticket> {
    return this.operations.call('tickets.create', { params: { project }, body }, options);
  }

  /**
   * Finds the ticket that has a given key or that `match` accepts, or creates it if it doesn't exist. You can
   * safely call this method again after a lost response, or in a job that may run twice.
   *
   * With `key`, the method searches the entire project. It stores the key in the description of a new ticket,
   * as a last paragraph such as `Created with key: form-123 [h5w0c2me]`. Text in `body` that looks like such a
   * paragraph is changed so that it can't claim a key. With `match`, the method searches only the board in
   * `body`, if any.
   *
   * The method creates a ticket only after a complete search. If the response is lost, it searches again and
   * never creates a second ticket. Concurrent calls with the same key and credential return the same ticket if
   * they're made on the same client or on clients created from each other with `withOptions`. Other concurrent
   * calls can still create duplicates.
   *
   * If a call with a key fails, for example because you aborted it, its outcome may be unknown. The next call
   * with that key then searches for up to four seconds before it creates a ticket.
   *
   * Requires the `tickets:read` and `tickets:write` scopes. To use `match` with `board_slug`, you also need
   * `boards:read`.
   *
   * @param options `key` or `match`, and the call options. `totalTimeout` applies to the entire call.
   * @returns the existing or new ticket. If several tickets on a page match, returns the oldest.
   * @throws {@link IncompleteListError} if the tickets can't be read completely
   *
   * @example
   * ```ts
   * const body = { board_id: todo.id, title: 'Launch' };
   * const ticket = await client.tickets.findOrCreate(project.id, body, { key: 'form-123' });
   * const same = await client.tickets.findOrCreate(project.id, body, {
   *   q: 'Launch',
   *   match: ({ title }) => title === 'Launch',
   * });
   * ```
   */
  findOrCreate(project: string, body: NewTicket, options: FindOptions<Ticket>): Promise<Ticket> {
    return this.operations.findOrCreate(
      'tickets.create',
      options,
      (next) => ({
        ...this.#store(project, next),
        html: body?.description_html,
        filter: async () => {
          if (body?.board_slug === undefined) return { board_id: body?.board_id };
          const board_id = await this.#boardId(project, body.board_slug, next());
          return board_id === undefined ? undefined : { board_id };
        },
        create: (description_html) => this.create(project, { ...body, description_html }, next()),
      }),
      project,
    );
  }

  /**
   * Finds the ticket that {@link findOrCreate} created with a key, or that was imported from a source. Only a
   * key in the last paragraph of the description counts. Requires the `tickets:read` scope.
   *
   * @param key the key (1 to 200 characters)
   * @param options `source`, to find an imported ticket, and the call options. `totalTimeout` applies to the
   * entire call.
   * @returns the ticket, or undefined if there is none
   * @throws {@link IncompleteListError} if the tickets can't be read completely
   *
   * @example
   * ```ts
   * const ticket = await client.tickets.findByKey(project.id, 'form-123');
   * const imported = await client.tickets.findByKey(project.id, 'APO-123', { source: 'Jira' });
   * ```
   */
  findByKey(project: string, key: string, options?: FindByKeyOptions): Promise<Ticket | undefined> {
    return this.operations.findByKey('tickets.list', key, options, (next) => this.#store(project, next));
  }

  #store(project: string, next: () => CallOptions): RecordStore<Ticket> {
    return {
      htmlOf: (ticket) => ticket.description_html,
      list: (query) => this.list(project, query, next()),
      get: (id) => this.get(id, next()),
    };
  }

  async #boardId(project: string, slug: string, options: CallOptions): Promise<string | undefined> {
    const boards = await this.operations.call('boards.list', { params: { project } }, options);
    return boards.find((board) => board.slug === slug)?.id;
  }

  /**
   * Reorders a board's tickets. Requires the `tickets:write` scope.
   *
   * @param body the board's ID, and the IDs of all live tickets on the board in the new order
   * @throws {@link UnprocessableError} if the board is unknown, or the list doesn't contain each live ticket
   * exactly once (`invalid_board`, `invalid_ticket_list`)
   */
  reorder(project: string, body: ReorderTickets, options?: CallOptions): ApiPromise<undefined> {
    return this.operations.call('tickets.reorder', { params: { project }, body }, options);
  }

  /** Gets a ticket. Requires the `tickets:read` scope. */
  get(ticket: string, options?: CallOptions): ApiPromise<Ticket> {
    return this.operations.call('tickets.get', { params: { ticket } }, options);
  }

  /**
   * Updates a ticket. Omitted fields don't change. Lists are replaced entirely. Requires the `tickets:write`
   * scope.
   *
   * A new `description_html` replaces the entire description, including the last paragraph with the key of
   * `findOrCreate` or of an import. To keep the ticket's key, use {@link keepKey}.
   *
   * @throws {@link UnprocessableError} if an assignee or label is unknown (`invalid_relation`)
   */
  update(ticket: string, body: UpdateTicket, options?: CallOptions): ApiPromise<Ticket> {
    return this.operations.call('tickets.update', { params: { ticket }, body }, options);
  }

  /** Deletes a ticket (soft delete). Requires the `tickets:write` scope. */
  delete(ticket: string, options?: CallOptions): ApiPromise<undefined> {
    return this.operations.call('tickets.delete', { params: { ticket } }, options);
  }

  /**
   * Moves a ticket to a position on a board. Requires the `tickets:write` scope.
   *
   * @param body the board's ID, and the zero-based position (the end of the board by default)
   * @throws {@link UnprocessableError} if the board is full or unknown (`wip_limit_reached`, `invalid_board`)
   *
   * @example
   * ```ts
   * await client.tickets.move(ticket.id, { board_id: doing.id, position: 0 });
   * ```
   */
  move(ticket: string, body: MoveTicket, options?: CallOptions): ApiPromise<Ticket> {
    return this.operations.call('tickets.move', { params: { ticket }, body }, options);
  }
}

/** Ticket comments. */
export class TicketComments extends Resource {
  /**
   * Adds a comment to a ticket. Requires the `comments:write` scope.
   *
   * @param body HTML, up to 200,000 characters
   */
  create(ticket: string, body: CreateComment, options?: CallOptions): ApiPromise<TicketComment> {
    return this.operations.call('tickets.comments.create', { params: { ticket }, body }, options);
  }
}
