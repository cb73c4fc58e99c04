import { type Ref, ref, shallowRef } from 'vue';
import {
  type Analytics,
  type Board,
  type Document,
  isWorktrackError,
  type Label,
  type Member,
  type Outcome,
  type Project,
  type Tag,
  type Ticket,
  Worktrack,
  type WorktrackError,
} from 'worktrack';
import type { FaultHandle, World } from 'worktrack/mock-server';
import { apolloWorld } from '../content/world.js';
import { type Exchange, recordingFetch } from '../live/exchange.js';
import { openPageServer, type PageServer } from '../live/page-server.js';
import { exportWorld } from './export-world.js';
import { type FaultName, playgroundFaults } from './faults.js';

const loggedExchanges = 60;

/** What happened to a failed call, for screen readers. */
const outcomeTexts: Record<Outcome, string> = {
  not_sent: 'Not sent',
  rejected: 'Rejected',
  unknown: 'No response; the server may have performed it',
  done: "Performed, but the response can't be read",
};

/** The playground's model: the data last read from the API, and the user's actions. */
export class Session {
  readonly project = shallowRef<Project>();
  readonly boards = shallowRef<Board[]>([]);
  readonly tickets = shallowRef<Ticket[]>([]);
  readonly documents = shallowRef<Document[]>([]);
  readonly members = shallowRef<Member[]>([]);
  readonly labels = shallowRef<Label[]>([]);
  readonly tags = shallowRef<Tag[]>([]);
  readonly analytics = shallowRef<Analytics>();
  /** Newest first. */
  readonly exchanges = shallowRef<Exchange[]>([]);
  /** The error of the last failed action. */
  readonly error = shallowRef<WorktrackError>();
  /** What just happened, for screen readers. */
  readonly announcement = ref('');
  readonly faults: Ref<FaultName[]> = ref([]);
  readonly intercepted = ref(true);
  /** Whether the data comes from an imported file. */
  readonly imported = ref(false);
  /** Comma-separated tag names that documents must have. */
  readonly documentTags = ref('');

  #server: PageServer | undefined;
  #client: Worktrack | undefined;
  readonly #handles = new Map<FaultName, FaultHandle>();

  get client(): Worktrack {
    if (!this.#client) throw new Error("the playground hasn't started yet");
    return this.#client;
  }

  /** @throws SeedError if the seed data is invalid */
  async start(world: World | string = apolloWorld): Promise<void> {
    const server = await openPageServer({ now: new Date(), world });
    const client = new Worktrack({
      ...server.mock.clientOptions(),
      retry: { limit: 2, maxDelay: 300 },
      fetch: recordingFetch(server.fetch, (exchange) => {
        this.exchanges.value = [exchange, ...this.exchanges.value].slice(0, loggedExchanges);
      }),
    });
    this.#server = server;
    this.#client = client;
    this.#handles.clear();
    this.faults.value = [];
    this.exchanges.value = [];
    this.error.value = undefined;
    this.documentTags.value = '';
    this.intercepted.value = server.intercepted;
    this.imported.value = world !== apolloWorld;
    this.#clear();
    await this.attempt('', () => this.#readAll());
  }

  /** Runs an action and announces its result. An error of the client is shown, not thrown. */
  async attempt(message: string, action: () => Promise<unknown>): Promise<boolean> {
    try {
      await action();
      this.error.value = undefined;
      if (message) this.announcement.value = message;
      return true;
    } catch (error) {
      if (!isWorktrackError(error)) throw error;
      this.error.value = error;
      this.announcement.value = `${outcomeTexts[error.outcome]}. ${error.message}`;
      return false;
    }
  }

  /** Moves a ticket, then reads the boards again. */
  async move(ticket: Ticket, board: Board, position: number): Promise<boolean> {
    const message = `${ticket.title} is now on ${board.name}, position ${position + 1}.`;
    const moved = await this.attempt(message, () =>
      this.client.tickets.move(ticket.id, { board_id: board.id, position }),
    );
    await this.refreshBoards();
    return moved;
  }

  /** Reads everything that a change of a ticket can affect. If that fails, the old data stays visible. */
  async refreshBoards(): Promise<void> {
    await this.#refresh(() => this.#readBoards());
  }

  async refreshDocuments(): Promise<void> {
    await this.#refresh(() => this.#readDocuments());
  }

  async reset(): Promise<void> {
    this.#server?.mock.reset();
    this.#handles.clear();
    this.faults.value = [];
    this.documentTags.value = '';
    await this.attempt('The data was reset.', () => this.#readAll());
  }

  switchFault(name: FaultName, on: boolean): void {
    this.#handles.get(name)?.remove();
    this.#handles.delete(name);
    if (on && this.#server)
      this.#handles.set(name, this.#server.mock.faults.add(playgroundFaults[name].fault));
    this.faults.value = [...this.#handles.keys()];
  }

  async exportWorld(): Promise<string> {
    if (!this.#server) throw new Error("the playground hasn't started yet");
    return JSON.stringify(await exportWorld(this.client, this.#server.mock), null, 2);
  }

  /** Clears the data, so that old data isn't visible if the new data can't be read. */
  #clear(): void {
    this.project.value = undefined;
    this.analytics.value = undefined;
    for (const list of [this.boards, this.tickets, this.documents, this.members, this.labels, this.tags])
      list.value = [];
  }

  /** Reads data. If that fails, an error that is already visible stays visible. */
  async #refresh(read: () => Promise<void>): Promise<void> {
    try {
      await read();
    } catch (error) {
      if (!isWorktrackError(error)) throw error;
      this.error.value ??= error;
    }
  }

  async #readAll(): Promise<void> {
    const [project] = await this.client.projects.list();
    this.project.value =
      project ?? (await this.client.projects.create({ name: 'First project', key: 'FIRST' }));
    const { id } = this.project.value;
    [this.members.value, this.labels.value] = await Promise.all([
      this.client.projects.members.list(id),
      this.client.projects.labels.list(id),
    ]);
    await this.#readBoards();
    await this.#readDocuments();
  }

  async #readBoards(): Promise<void> {
    const id = this.project.value?.id ?? '';
    const [boards, tickets, analytics, tags] = await Promise.all([
      this.client.boards.list(id),
      this.client.tickets.list(id, { per_page: 200 }).toArray({ limit: 1000 }),
      this.client.projects.analytics.get(id),
      this.client.projects.tags.list(id),
    ]);
    this.boards.value = boards;
    this.tickets.value = tickets;
    this.analytics.value = analytics;
    this.tags.value = tags;
  }

  async #readDocuments(): Promise<void> {
    const tags = this.documentTags.value;
    const found = await this.client.documents.list({ ...(tags && { tags }) }).toArray({ limit: 200 });
    // If the user typed more in the meantime, this result is outdated.
    if (tags === this.documentTags.value) this.documents.value = found;
  }
}
