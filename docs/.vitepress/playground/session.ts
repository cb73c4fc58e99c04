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

/** What the server did with a failed call, for screen readers. */
const fates: Record<Outcome, string> = {
  not_sent: 'Not sent',
  rejected: 'Rejected',
  unknown: 'No response; the server may have performed it',
  done: "Performed, but the response can't be read",
};

/** The playground's model: what the API said last, and what a person can do. */
export class Session {
  readonly project = shallowRef<Project>();
  readonly boards = shallowRef<Board[]>([]);
  readonly tickets = shallowRef<Ticket[]>([]);
  readonly documents = shallowRef<Document[]>([]);
  readonly members = shallowRef<Member[]>([]);
  readonly labels = shallowRef<Label[]>([]);
  readonly tags = shallowRef<Tag[]>([]);
  readonly figures = shallowRef<Analytics>();
  /** Newest first. */
  readonly exchanges = shallowRef<Exchange[]>([]);
  /** Why the last thing that was tried did not happen. */
  readonly refusal = shallowRef<WorktrackError>();
  /** For screen readers: what has just happened. */
  readonly announcement = ref('');
  readonly faults: Ref<FaultName[]> = ref([]);
  readonly intercepted = ref(true);
  /** Whether the world is a file of the person's. */
  readonly imported = ref(false);
  /** Tag names that documents must carry, with commas. */
  readonly documentTags = ref('');

  #server: PageServer | undefined;
  #client: Worktrack | undefined;
  readonly #handles = new Map<FaultName, FaultHandle>();

  get client(): Worktrack {
    if (!this.#client) throw new Error('The playground has not begun yet');
    return this.#client;
  }

  /** @throws SeedError for a world that cannot be */
  async begin(world: World | string = apolloWorld): Promise<void> {
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
    this.refusal.value = undefined;
    this.documentTags.value = '';
    this.intercepted.value = server.intercepted;
    this.imported.value = world !== apolloWorld;
    this.#forget();
    await this.attempt('', () => this.#readAll());
  }

  /** Does something, and says what became of it; a refusal is shown and not thrown. */
  async attempt(said: string, action: () => Promise<unknown>): Promise<boolean> {
    try {
      await action();
      this.refusal.value = undefined;
      if (said) this.announcement.value = said;
      return true;
    } catch (error) {
      if (!isWorktrackError(error)) throw error;
      this.refusal.value = error;
      this.announcement.value = `${fates[error.outcome]}. ${error.message}`;
      return false;
    }
  }

  /** Moves a ticket, shows what the server made of it, and then reads the board again. */
  async move(ticket: Ticket, board: Board, position: number): Promise<boolean> {
    const said = `${ticket.title} is on ${board.name}, position ${position + 1}.`;
    const moved = await this.attempt(said, () =>
      this.client.tickets.move(ticket.id, { board_id: board.id, position }),
    );
    await this.refreshBoards();
    return moved;
  }

  /** Reads what a change of a ticket can have changed; keeps what is shown where that fails. */
  async refreshBoards(): Promise<void> {
    await this.#quietly(() => this.#readBoards());
  }

  async refreshDocuments(): Promise<void> {
    await this.#quietly(() => this.#readDocuments());
  }

  async reset(): Promise<void> {
    this.#server?.mock.reset();
    this.#handles.clear();
    this.faults.value = [];
    this.documentTags.value = '';
    await this.attempt('The world is as it was in the beginning.', () => this.#readAll());
  }

  switchFault(name: FaultName, on: boolean): void {
    this.#handles.get(name)?.remove();
    this.#handles.delete(name);
    if (on && this.#server)
      this.#handles.set(name, this.#server.mock.faults.add(playgroundFaults[name].fault));
    this.faults.value = [...this.#handles.keys()];
  }

  async exportWorld(): Promise<string> {
    if (!this.#server) throw new Error('The playground has not begun yet');
    return JSON.stringify(await exportWorld(this.client, this.#server.mock), null, 2);
  }

  /** What another world held is not shown where this one cannot be read. */
  #forget(): void {
    this.project.value = undefined;
    this.figures.value = undefined;
    for (const list of [this.boards, this.tickets, this.documents, this.members, this.labels, this.tags])
      list.value = [];
  }

  /** A refusal that is on the screen stays there. */
  async #quietly(read: () => Promise<void>): Promise<void> {
    try {
      await read();
    } catch (error) {
      if (!isWorktrackError(error)) throw error;
      this.refusal.value ??= error;
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
    const [boards, tickets, figures, tags] = await Promise.all([
      this.client.boards.list(id),
      this.client.tickets.list(id, { per_page: 200 }).toArray({ limit: 1000 }),
      this.client.projects.analytics.get(id),
      this.client.projects.tags.list(id),
    ]);
    this.boards.value = boards;
    this.tickets.value = tickets;
    this.figures.value = figures;
    this.tags.value = tags;
  }

  async #readDocuments(): Promise<void> {
    const tags = this.documentTags.value;
    const found = await this.client.documents.list({ ...(tags && { tags }) }).toArray({ limit: 200 });
    // An answer that comes after more was typed is no answer any more.
    if (tags === this.documentTags.value) this.documents.value = found;
  }
}
