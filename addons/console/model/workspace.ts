import { computed, ref, shallowRef } from 'vue';
import {
  type Analytics,
  type Board,
  type Document,
  type DocumentComment,
  type Label,
  type Member,
  type Outcome,
  type Project,
  type Tag,
  type Ticket,
  type TicketComment,
  type Worktrack,
  WorktrackError,
} from 'worktrack';
import { BoardTickets, ticketsPerPage } from './board-tickets.js';

/** The number of documents to load initially and on each "Show more" click. */
const documentStep = 200;

/** The API's maximum page size. */
const per_page = 200;

/** The outcomes of failed calls, as announced to screen readers. */
const outcomeTexts: Record<Outcome, string> = {
  not_sent: 'Not sent',
  rejected: 'Rejected',
  unknown: 'No response; the change may have been made',
  done: "Performed, but the response couldn't be read",
};

export interface WorkspaceClients {
  /** Reads records. */
  reader: Worktrack;
  /** Performs the user's actions. */
  writer: Worktrack;
  /**
   * Returns whether the owner currently calls `refresh` after each change. Otherwise, the workspace reloads
   * the records that its own actions change.
   */
  isLive?: () => boolean;
  /**
   * Reads all comments. The API can't list comments, so only owners with access to the server's state can
   * provide this function.
   */
  comments?: () => Promise<readonly (TicketComment | DocumentComment)[] | undefined>;
}

/** Which records changed. */
export interface Changes {
  /** The kinds of records, named as in the `state` events of the admin routes. */
  kinds: readonly string[];
  /** The boards whose tickets changed. */
  boards: readonly string[];
}

/** The most recently loaded records, and the actions that change them. */
export class Workspace {
  readonly projects = shallowRef<Project[]>([]);
  readonly projectId = ref('');
  readonly project = computed(() => this.projects.value.find(({ id }) => id === this.projectId.value));
  readonly boards = shallowRef<Board[]>([]);
  /** Whether the records of another server or project are still being loaded. */
  readonly loading = ref(false);
  /** Only tickets that contain this text are shown. */
  readonly search = ref('');
  /** The current server time, in milliseconds since 1970. */
  readonly now = ref(Date.now());
  /** The ID of the ticket whose move the server just rejected. */
  readonly returnedId = ref('');
  readonly documents = shallowRef<Document[]>([]);
  /** The number of documents that match the tags, including those that aren't loaded. */
  readonly documentTotal = ref(0);
  readonly members = shallowRef<Member[]>([]);
  readonly labels = shallowRef<Label[]>([]);
  readonly tags = shallowRef<Tag[]>([]);
  readonly analytics = shallowRef<Analytics>();
  /** The error from the last failed action. */
  readonly error = shallowRef<WorktrackError>();
  /** The latest message to announce to screen readers. */
  readonly announcement = ref('');
  /** Comma-separated names of the tags that documents must have. */
  readonly documentTags = ref('');

  #clients: WorkspaceClients | undefined;
  #tickets = new Map<string, BoardTickets>();
  #documentLimit = documentStep;

  /** The client that performs the user's actions. */
  get client(): Worktrack {
    return this.#connected.writer;
  }

  get #connected(): WorkspaceClients {
    if (!this.#clients) throw new Error("the workspace isn't connected to a server yet");
    return this.#clients;
  }

  /** Connects to a server, and replaces the visible records with those on the server. */
  async connect(clients: WorkspaceClients): Promise<void> {
    this.#clients = clients;
    this.error.value = undefined;
    this.documentTags.value = '';
    this.#documentLimit = documentStep;
    this.#clear();
    this.loading.value = true;
    await this.attempt('', () => this.#readAll());
    this.loading.value = false;
  }

  /** Removes the visible records, because there is no organization to show. */
  disconnect(): void {
    this.#clients = undefined;
    this.error.value = undefined;
    this.projectId.value = '';
    this.#clear();
  }

  /**
   * Runs an action and announces its result. Shows client errors instead of throwing them.
   *
   * @returns whether the server performed the action, even if its response couldn't be read
   */
  async attempt(message: string, action: () => Promise<unknown>): Promise<boolean> {
    try {
      await action();
      this.error.value = undefined;
      if (message) this.announcement.value = message;
      return true;
    } catch (error) {
      if (!(error instanceof WorktrackError)) throw error;
      this.error.value = error;
      this.announcement.value = `${outcomeTexts[error.outcome]}. ${error.message}`;
      return error.outcome === 'done';
    }
  }

  /**
   * Returns the last error, so that an open dialog can show it. Otherwise, the error would be hidden behind
   * the dialog.
   */
  takeError(): WorktrackError | undefined {
    const { value } = this.error;
    this.error.value = undefined;
    return value;
  }

  ticketsOn(boardId: string): BoardTickets {
    let tickets = this.#tickets.get(boardId);
    if (!tickets) {
      tickets = new BoardTickets(
        (page) => this.#readTickets(boardId, page),
        (load) => this.#refresh(load),
      );
      this.#tickets.set(boardId, tickets);
    }
    return tickets;
  }

  /**
   * Moves a ticket. The ticket is shown on its new board immediately, and moves back if the server rejects
   * the move.
   *
   * @param index the index to show the ticket at, which differs from the position during a search
   */
  async move(ticket: Ticket, board: Board, position: number, index = position): Promise<boolean> {
    const [from, to] = [this.ticketsOn(ticket.board_id), this.ticketsOn(board.id)];
    const releases = [from.hold(), to.hold()];
    from.remove(ticket.id);
    to.insert(index, { ...ticket, board_id: board.id, position });
    const message = `Moved ${ticket.title} to ${board.name}, position ${position + 1}.`;
    const moved = await this.attempt(message, () =>
      this.client.tickets.move(ticket.id, { board_id: board.id, position }),
    );
    if (!moved) {
      to.remove(ticket.id);
      from.insert(Math.min(ticket.position, from.list.value.length), ticket);
      this.returnedId.value = ticket.id;
    }
    for (const release of releases) await release();
    await this.reloadAfterAction([ticket.board_id, board.id], !moved);
    return moved;
  }

  /** Sets or removes a board's WIP limit. */
  async limit(board: Board, wip_limit: number | null): Promise<void> {
    const message =
      wip_limit === null
        ? `${board.name} no longer has a WIP limit.`
        : `${board.name} now has a WIP limit of ${wip_limit}.`;
    const changed = await this.attempt(message, () => this.client.boards.update(board.id, { wip_limit }));
    // Reset the input, because the value was rejected.
    if (!changed) this.boards.value = this.boards.value.map((other) => ({ ...other }));
    await this.refreshBoards();
  }

  /** Reloads the records that changed, or everything. If that fails, the old records stay visible. */
  async refresh(changes?: Changes): Promise<void> {
    if (!this.#clients) return;
    await this.#refresh(() => (changes ? this.#readChanged(changes) : this.#readAll()));
  }

  /** Reloads the boards and everything on them. If that fails, the old records stay visible. */
  async refreshBoards(): Promise<void> {
    await this.#refresh(() => this.#readProject());
  }

  /**
   * Reloads the ticket counts. Also reloads the boards that an action may have changed, unless the owner
   * reloads them itself.
   */
  async reloadAfterAction(boards: readonly string[], failed = false): Promise<void> {
    const isReloaded = !failed && this.#connected.isLive?.();
    await this.refresh({ kinds: ['tickets'], boards: isReloaded ? [] : boards });
  }

  /** Shows another project. */
  async openProject(id: string): Promise<void> {
    this.projectId.value = id;
    this.#clearProject();
    this.loading.value = true;
    await this.refreshBoards();
    this.loading.value = this.projectId.value !== id;
  }

  /** Shows only the tickets that contain the given text. */
  async searchTickets(text: string): Promise<void> {
    this.search.value = text;
    await this.#refresh(() => this.#reloadTickets());
  }

  /** Returns one of the project's tickets, even if it isn't loaded. */
  findTicket(id: string): Promise<Ticket> {
    return this.#connected.reader.tickets.get(id);
  }

  /** Returns a ticket's comments, oldest first, or undefined if they can't be listed. */
  async readComments(ticketId: string): Promise<TicketComment[] | undefined> {
    const all = await this.#connected.comments?.();
    return all?.filter(
      (comment): comment is TicketComment => 'ticket_id' in comment && comment.ticket_id === ticketId,
    );
  }

  async refreshDocuments(): Promise<void> {
    await this.#refresh(() => this.#readDocuments());
  }

  async showMoreDocuments(): Promise<void> {
    this.#documentLimit += documentStep;
    await this.refreshDocuments();
    this.announcement.value = `Showing ${this.documents.value.length} documents.`;
  }

  /** Clears the records, so that old records don't stay visible if loading new records fails. */
  #clear(): void {
    this.projects.value = [];
    this.documents.value = [];
    this.documentTotal.value = 0;
    this.#clearProject();
  }

  #clearProject(): void {
    this.analytics.value = undefined;
    this.#tickets.clear();
    const { boards, members, labels, tags } = this;
    for (const list of [boards, members, labels, tags]) list.value = [];
  }

  /** Reloads records. If that fails, shows the error unless another error is already visible. */
  async #refresh(read: () => Promise<void>): Promise<void> {
    try {
      await read();
    } catch (error) {
      // The organization was removed in the meantime.
      if (!this.#clients) return;
      if (!(error instanceof WorktrackError)) throw error;
      this.error.value ??= error;
    }
  }

  async #readAll(): Promise<void> {
    await this.#readProjects();
    await Promise.all([this.#readProject(), this.#readDocuments()]);
  }

  async #readProjects(): Promise<void> {
    this.projects.value = await this.#connected.reader.projects.list();
    if (!this.project.value) this.projectId.value = this.projects.value[0]?.id ?? '';
  }

  async #readProject(): Promise<void> {
    await Promise.all([
      this.#readBoards(),
      this.#readAnalytics(),
      this.#readPeople(),
      this.#readTags(),
      this.#reloadTickets(),
    ]);
  }

  async #readChanged({ kinds, boards }: Changes): Promise<void> {
    const has = (...names: string[]) => names.some((name) => kinds.includes(name));
    const before = this.projectId.value;
    if (has('projects')) await this.#readProjects();
    if (this.projectId.value !== before) return this.#readProject();
    await Promise.all([
      has('boards', 'projects') && this.#readBoards(),
      has('boards', 'tickets', 'clock') && this.#readAnalytics(boards),
      has('users', 'projects') && this.#readPeople(),
      (has('projects') || (has('tickets') && this.tags.value.length > 0)) && this.#readTags(),
      has('documents', 'documentTags') && this.#readDocuments(),
      ...boards.map((id) => this.#tickets.get(id)?.reload()),
    ]);
  }

  async #readBoards(): Promise<void> {
    await this.#readOf((id) => this.#connected.reader.boards.list(id), this.boards);
  }

  async #readPeople(): Promise<void> {
    const { projects } = this.#connected.reader;
    await Promise.all([
      this.#readOf((id) => projects.members.list(id), this.members),
      this.#readOf((id) => projects.labels.list(id), this.labels),
    ]);
  }

  async #readTags(): Promise<void> {
    await this.#readOf((id) => this.#connected.reader.projects.tags.list(id), this.tags);
  }

  /**
   * Reads the ticket counts. A board whose count has changed is reloaded, unless it's already being reloaded.
   *
   * @param reloading the boards that are being reloaded
   */
  async #readAnalytics(reloading: readonly string[] = []): Promise<void> {
    await this.#readOf((id) => this.#connected.reader.projects.analytics.get(id), this.analytics);
    const resized = (this.analytics.value?.by_board ?? []).filter(({ board_id, count }) =>
      this.ticketsOn(board_id).resize(count),
    );
    await Promise.all(
      resized
        .filter(({ board_id }) => !reloading.includes(board_id))
        .map(({ board_id }) => this.ticketsOn(board_id).reload()),
    );
  }

  /**
   * Reads data from the selected project. Discards the data if the user selects another project in the
   * meantime.
   */
  async #readOf<Value>(
    read: (project: string) => Promise<Value>,
    target: { value: Value | undefined },
  ): Promise<void> {
    const id = this.projectId.value;
    if (id === '') return;
    const value = await read(id);
    if (id === this.projectId.value) target.value = value;
  }

  async #reloadTickets(): Promise<void> {
    await Promise.all([...this.#tickets.values()].map((tickets) => tickets.reload()));
  }

  #readTickets(board_id: string, page: number) {
    const q = this.search.value.trim();
    const query = { board_id, page, per_page: ticketsPerPage, ...(q !== '' && { q }) };
    return this.#connected.reader.tickets.list(this.projectId.value, query);
  }

  async #readDocuments(): Promise<void> {
    const tags = this.documentTags.value;
    const query = tags === '' ? { per_page } : { per_page, tags };
    const list = this.#connected.reader.documents.list(query);
    const [{ total }, found] = await Promise.all([list, list.toArray({ limit: this.#documentLimit })]);
    // The user has typed more in the meantime, so this result is outdated.
    if (tags !== this.documentTags.value) return;
    this.documents.value = found;
    this.documentTotal.value = total;
  }
}
