import type { Board, Document, Label, Project, Ticket } from '../../src/contract/index.js';
import { NotFoundError, type PageList, type Worktrack } from '../../src/index.js';
import { unlessMissing } from '../../src/internal.js';
import { batchesOf, by } from '../shared/lists.js';
import { Names } from '../shared/names.js';
import type { PulledProject, SeedStore, Stored } from './pull-file.js';
import type { PullSettings } from './pull-options.js';
import { listOf, Redaction, type Seed, TagNames } from './pull-rules.js';

/** A deployment's records, in the order of the seed data. */
export interface DeploymentData {
  organization: Seed;
  projects: PulledProject[];
  documents: Stored[];
  /** Returns a record's rank in a random order, which depends on the key. */
  rankOf(id: string): string;
}

interface PlacedTicket extends Stored {
  boardId: string;
  position: number;
  number: number;
}

/** Reads all records, and stores the redacted tickets and documents. */
export async function readDeployment(
  client: Worktrack,
  settings: PullSettings,
  store: SeedStore,
): Promise<DeploymentData> {
  return new DeploymentReader(client, settings, store).read();
}

class DeploymentReader {
  readonly #client: Worktrack;
  readonly #settings: PullSettings;
  readonly #store: SeedStore;
  readonly #redaction: Redaction;
  readonly #call: { signal: AbortSignal | undefined };
  #recordsRead = 0;

  constructor(client: Worktrack, settings: PullSettings, store: SeedStore) {
    this.#client = client;
    this.#settings = settings;
    this.#store = store;
    this.#redaction = new Redaction(settings);
    this.#call = { signal: settings.signal };
  }

  async read(): Promise<DeploymentData> {
    const redaction = this.#redaction;
    const organization = redaction.record('organization', await this.#client.organization.get(this.#call));
    const projects: PulledProject[] = [];
    const ids = new Set<string>();
    for (const record of await this.#selectProjects()) {
      const project = await this.#readProject(record);
      if (!project) continue;
      projects.push(project);
      ids.add(record.id);
    }
    const tags = new TagNames();
    const documents = this.#settings.documents ? await this.#readDocuments(ids, tags) : [];
    return {
      organization: {
        ...organization,
        ...(redaction.credentials.size > 0 && { credentials: credentialsOf(redaction) }),
        users: [...redaction.users.values()],
        tags: tags.all(),
      },
      projects,
      documents,
      rankOf: (id) => redaction.digest('sample', id),
    };
  }

  /** @throws LookupError if a project in the options is unknown or ambiguous */
  async #selectProjects(): Promise<Project[]> {
    const listed = await this.#client.projects.list(this.#call);
    const names = new Names('project', listed, '');
    const wanted = this.#settings.projects?.map((reference) => names.find(reference));
    return wanted ? listed.filter((project) => wanted.includes(project)) : listed;
  }

  /** Returns undefined if the project was deleted during the pull, unless it was requested explicitly. */
  async #readProject(project: Project): Promise<PulledProject | undefined> {
    try {
      return await this.#readContent(project);
    } catch (error) {
      if (!(error instanceof NotFoundError) || this.#settings.projects) throw error;
      if (await unlessMissing(this.#client.projects.get(project.id, this.#call))) throw error;
      return undefined;
    }
  }

  async #readContent(project: Project): Promise<PulledProject> {
    const redaction = this.#redaction;
    const { projects } = this.#client;
    const members = await projects.members.list(project.id, this.#call);
    const memberIds = new Set(members.map((member) => redaction.user(member)));
    const labels = new Map<string, Seed>();
    const addLabel = (label: Label) =>
      labels.has(label.id) || labels.set(label.id, redaction.record('label', label));
    for (const label of await projects.labels.list(project.id, this.#call)) addLabel(label);
    const tags = new TagNames();
    for (const tag of await projects.tags.list(project.id, this.#call)) tags.add(tag, redaction);

    const tickets = new Map<string, PlacedTicket>();
    const addTicket = async (ticket: Ticket) => {
      const seed = redaction.record('ticket', ticket, tags);
      // People and labels may have been added after their lists were read.
      for (const user of seed.assignees as string[]) memberIds.add(user);
      for (const label of listOf<Label>(ticket.labels)) addLabel(label);
      const { id, board_id: boardId, position, number } = ticket;
      tickets.set(id, { id, boardId, position, number, stored: await this.#add(seed) });
    };
    const list = this.#client.tickets.list(project.id, { per_page: 200 }, this.#call);
    const isWhole = ({ description_html }: Ticket) => description_html !== undefined;
    for await (const ticket of readWhole(list, isWhole, (id) => this.#client.tickets.get(id, this.#call)))
      await addTicket(ticket);

    const boards = await this.#readBoards(project.id, tickets, addTicket);
    return {
      seed: {
        ...redaction.record('project', project),
        members: [...memberIds],
        labels: [...labels.values()],
        tags: tags.all(),
      },
      boards,
    };
  }

  /**
   * Reads the boards after the tickets. If a board was deleted in the meantime, its tickets were moved, so
   * they're read again.
   */
  async #readBoards(
    projectId: string,
    tickets: Map<string, PlacedTicket>,
    addTicket: (ticket: Ticket) => Promise<void>,
  ): Promise<PulledProject['boards']> {
    const { boards, tickets: api } = this.#client;
    let listed: Board[] = [];
    for (let round = 0; round < maxRounds; round++) {
      listed = await boards.list(projectId, this.#call);
      const known = new Set(listed.map(({ id }) => id));
      const misplaced = [...tickets.values()].filter(({ boardId }) => !known.has(boardId));
      if (misplaced.length === 0) break;
      for (const batch of batchesOf(misplaced, concurrency)) {
        const found = await Promise.all(batch.map(({ id }) => unlessMissing(api.get(id, this.#call))));
        for (const { id } of batch) tickets.delete(id);
        for (const ticket of found) if (ticket) await addTicket(ticket);
      }
    }
    const onBoards = new Map<string, PlacedTicket[]>(listed.map(({ id }) => [id, []]));
    for (const ticket of tickets.values()) {
      // Some deployments don't list every board, so boards that only tickets refer to are added.
      const onBoard = onBoards.get(ticket.boardId) ?? [];
      onBoard.push(ticket);
      onBoards.set(ticket.boardId, onBoard);
    }
    const records = new Map<string, Partial<Board>>(listed.map((board) => [board.id, board]));
    return [...onBoards].map(([id, onBoard]) => ({
      seed: this.#redaction.record(
        'board',
        records.get(id) ?? { id, name: 'Unlisted board', is_hidden: true },
      ),
      tickets: onBoard.sort((one, other) => one.position - other.position || one.number - other.number),
    }));
  }

  async #readDocuments(projects: ReadonlySet<string>, tags: TagNames): Promise<Stored[]> {
    const isLimited = this.#settings.projects !== undefined;
    const project_id = isLimited && projects.size === 1 ? [...projects][0] : undefined;
    const list = this.#client.documents.list({ per_page: 100, project_id }, this.#call);
    // Documents of other projects aren't part of the pull, so their content isn't needed.
    const isWhole = (document: Document) => document.content_html !== undefined || !isWanted(document);
    const isWanted = ({ project_id }: Document) => !isLimited || projects.has(project_id ?? '');
    const documents: (Stored & { createdAt: string })[] = [];
    for await (const document of readWhole(list, isWhole, (id) =>
      this.#client.documents.get(id, this.#call),
    )) {
      if (!isWanted(document)) continue;
      const { id, project_id, created_at: createdAt } = document;
      const project = project_id && projects.has(project_id) ? this.#redaction.id('prj', project_id) : null;
      const seed = { ...this.#redaction.record('document', document, tags), project };
      documents.push({ id, createdAt, stored: await this.#add(seed) });
    }
    return documents.sort(by(({ createdAt }) => createdAt));
  }

  async #add(seed: Seed): Promise<number> {
    this.#settings.onProgress?.(++this.#recordsRead);
    return this.#store.add(JSON.stringify(seed));
  }
}

/** Reads a list completely. Records that the list shortens are read by ID; deleted ones are left out. */
async function* readWhole<Item extends { id: string }>(
  list: PageList<Item>,
  isWhole: (item: Item) => boolean,
  get: (id: string) => PromiseLike<Item>,
): AsyncGenerator<Item, void, undefined> {
  for await (const { data } of list.pages({ complete: true })) {
    for (const batch of batchesOf(data, concurrency)) {
      const items = batch.map((item) => (isWhole(item) ? item : unlessMissing(get(item.id))));
      for (const item of await Promise.all(items)) if (item) yield item;
    }
  }
}

/** Returns a credential to use, followed by the credentials that created records, which have no scopes. */
const credentialsOf = ({ credentials }: Redaction): object[] => [
  { token: 'wt_default', name: 'Default credential', scopes: ['*'] },
  ...[...credentials.values()].map((seed, index) => ({
    ...seed,
    token: `wt_pulled_${index + 1}`,
    scopes: [],
  })),
];

/** The maximum number of records to request at the same time. */
const concurrency = 8;

/** The maximum number of times to read the boards. */
const maxRounds = 3;
