import { computed, ref, shallowRef } from 'vue';
import {
  type Analytics,
  type Board,
  type Document,
  type Label,
  type Member,
  type Outcome,
  type Project,
  type Tag,
  type Ticket,
  type Worktrack,
  WorktrackError,
} from 'worktrack';

/** The number of tickets to load initially and on each "Show more" click. */
const ticketStep = 1000;

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

/** The clients a workspace uses. */
export interface WorkspaceClients {
  /** Reads records. */
  reader: Worktrack;
  /** Performs the user's actions. */
  writer: Worktrack;
}

/** The most recently loaded records, and the actions that change them. */
export class Workspace {
  readonly projects = shallowRef<Project[]>([]);
  readonly projectId = ref('');
  readonly project = computed(() => this.projects.value.find(({ id }) => id === this.projectId.value));
  readonly boards = shallowRef<Board[]>([]);
  readonly tickets = shallowRef<Ticket[]>([]);
  /** The number of tickets in the project, including those that aren't loaded. */
  readonly ticketTotal = ref(0);
  readonly documents = shallowRef<Document[]>([]);
  /** The number of documents that match the tags, including those that aren't loaded. */
  readonly documentTotal = ref(0);
  readonly members = shallowRef<Member[]>([]);
  readonly labels = shallowRef<Label[]>([]);
  readonly tags = shallowRef<Tag[]>([]);
  readonly analytics = shallowRef<Analytics>();
  /** The error from the last failed action. */
  readonly error = shallowRef<WorktrackError>();
  /** The latest announcement for screen readers. */
  readonly announcement = ref('');
  /** Comma-separated names of the tags that documents must have. */
  readonly documentTags = ref('');

  #clients: WorkspaceClients | undefined;
  #ticketLimit = ticketStep;
  #documentLimit = documentStep;

  /** The client that performs the user's actions. */
  get client(): Worktrack {
    return this.#connected.writer;
  }

  get #connected(): WorkspaceClients {
    if (!this.#clients) throw new Error("the workspace isn't connected to a server yet");
    return this.#clients;
  }

  /** Connects to a server and replaces the visible records with the server's. */
  async connect(clients: WorkspaceClients): Promise<void> {
    this.#clients = clients;
    this.error.value = undefined;
    this.documentTags.value = '';
    this.#ticketLimit = ticketStep;
    this.#documentLimit = documentStep;
    this.#clear();
    await this.attempt('', () => this.#readAll());
  }

  /** Runs an action and announces its result. Shows client errors instead of throwing them. */
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
      return false;
    }
  }

  /** Moves a ticket, then reloads the boards. */
  async move(ticket: Ticket, board: Board, position: number): Promise<boolean> {
    const message = `Moved ${ticket.title} to ${board.name}, position ${position + 1}.`;
    const moved = await this.attempt(message, () =>
      this.client.tickets.move(ticket.id, { board_id: board.id, position }),
    );
    await this.refreshBoards();
    return moved;
  }

  /** Sets or removes a board's WIP limit. */
  async limit(board: Board, wip_limit: number | null): Promise<void> {
    const message =
      wip_limit === null
        ? `${board.name} no longer has a WIP limit.`
        : `${board.name} now has a WIP limit of ${wip_limit}.`;
    await this.attempt(message, () => this.client.boards.update(board.id, { wip_limit }));
    await this.refreshBoards();
  }

  /** Reloads everything. If that fails, the old records stay visible. */
  async refresh(): Promise<void> {
    await this.#refresh(() => this.#readAll());
  }

  /** Reloads everything a ticket change can affect. If that fails, the old records stay visible. */
  async refreshBoards(): Promise<void> {
    await this.#refresh(() => this.#readBoards());
  }

  async refreshDocuments(): Promise<void> {
    await this.#refresh(() => this.#readDocuments());
  }

  async showMoreTickets(): Promise<void> {
    this.#ticketLimit += ticketStep;
    await this.refreshBoards();
    this.announcement.value = `Showing ${this.tickets.value.length} tickets.`;
  }

  async showMoreDocuments(): Promise<void> {
    this.#documentLimit += documentStep;
    await this.refreshDocuments();
    this.announcement.value = `Showing ${this.documents.value.length} documents.`;
  }

  /** Clears the records, so old records don't stay visible if loading the new ones fails. */
  #clear(): void {
    this.analytics.value = undefined;
    this.ticketTotal.value = 0;
    this.documentTotal.value = 0;
    const { projects, boards, tickets, documents, members, labels, tags } = this;
    for (const list of [projects, boards, tickets, documents, members, labels, tags]) list.value = [];
  }

  /** Reloads records. If that fails, shows the error unless another error is already visible. */
  async #refresh(read: () => Promise<void>): Promise<void> {
    try {
      await read();
    } catch (error) {
      if (!(error instanceof WorktrackError)) throw error;
      this.error.value ??= error;
    }
  }

  async #readAll(): Promise<void> {
    this.projects.value = await this.#connected.reader.projects.list();
    if (!this.project.value) this.projectId.value = this.projects.value[0]?.id ?? '';
    await this.#readBoards();
    await this.#readDocuments();
  }

  async #readBoards(): Promise<void> {
    const id = this.projectId.value;
    if (id === '') return;
    const { boards, tickets, projects } = this.#connected.reader;
    const list = tickets.list(id, { per_page });
    const [{ total }, ...found] = await Promise.all([
      list,
      boards.list(id),
      list.toArray({ limit: this.#ticketLimit }),
      projects.analytics.get(id),
      projects.tags.list(id),
      projects.members.list(id),
      projects.labels.list(id),
    ]);
    // If the user chose another project in the meantime, this result is outdated.
    if (id !== this.projectId.value) return;
    this.ticketTotal.value = total;
    [
      this.boards.value,
      this.tickets.value,
      this.analytics.value,
      this.tags.value,
      this.members.value,
      this.labels.value,
    ] = found;
  }

  async #readDocuments(): Promise<void> {
    const tags = this.documentTags.value;
    const query = tags === '' ? { per_page } : { per_page, tags };
    const list = this.#connected.reader.documents.list(query);
    const [{ total }, found] = await Promise.all([list, list.toArray({ limit: this.#documentLimit })]);
    // If the user typed more in the meantime, this result is outdated.
    if (tags !== this.documentTags.value) return;
    this.documents.value = found;
    this.documentTotal.value = total;
  }
}
