import type { Worktrack } from '../../../src/client.js';
import type { Document, Label, Project } from '../../../src/contract/index.js';
import { unlessMissing } from '../../../src/errors/expected-errors.js';
import { batchesOf, by } from '../../shared/lists.js';
import { Lookup } from '../../shared/lookup.js';
import { confirmDeleted } from '../changes/sources.js';
import { Converter, listOf, Tags } from './convert.js';
import type { PullProgress, PullSettings } from './options.js';
import { concurrency, type PlacedTicket, readBoardsAndTickets } from './read-tickets.js';
import { DistinctNames, Redaction } from './redaction.js';
import { seedFile } from './seed-file.js';
import type { Spool } from './spool.js';
import type { PulledBoard, PulledProject } from './world.js';

/** The number of records that a pull wrote, by kind. */
export interface PullReport {
  /** The number of records in the seed data. */
  projects: number;
  boards: number;
  tickets: number;
  documents: number;
  users: number;
  /** The number of tickets and documents that aren't part of the sample. */
  leftOut: number;
}

/** A pulled project. Its tickets are in the spool. */
interface ReadProject {
  header: Omit<PulledProject, 'boards'>;
  boards: { header: Omit<PulledBoard, 'tickets'>; wipLimit: number; tickets: PlacedTicket[] }[];
}

interface PlacedDocument {
  id: string;
  createdAt: string;
  spooled: number;
}

/** Reads a deployment and converts its records to a seed file. */
export class Pull {
  readonly #client: Worktrack;
  readonly #settings: PullSettings;
  readonly #spool: Spool;
  readonly #redaction: Redaction;
  readonly #converter: Converter;
  readonly #memberOrder: string[] = [];
  readonly #progress: PullProgress = { projects: 0, tickets: 0, documents: 0 };
  readonly report: PullReport = { projects: 0, boards: 0, tickets: 0, documents: 0, users: 0, leftOut: 0 };

  constructor(client: Worktrack, settings: PullSettings, spool: Spool) {
    this.#client = client;
    this.#settings = settings;
    this.#spool = spool;
    this.#redaction = new Redaction(settings);
    this.#converter = new Converter(this.#redaction);
  }

  /**
   * Reads all records.
   *
   * @returns the seed file's text in small chunks, with one record per line
   */
  async read(): Promise<AsyncGenerator<string, void, undefined>> {
    const { signal } = this.#settings;
    const organization = this.#converter.organization(await this.#client.organization.get({ signal }));
    const projects: ReadProject[] = [];
    const ids = new Set<string>();
    for (const record of await this.#findProjects()) {
      const project = await this.#readProject(record);
      if (!project) continue;
      projects.push(project);
      ids.add(record.id);
    }
    const documents = this.#settings.documents ? await this.#readDocuments(ids) : [];
    for (const project of projects) {
      for (const board of project.boards) board.tickets.sort(byPosition);
    }
    this.#takeSample(projects, documents);
    const credentials = this.#converter.credentials();
    const users = this.#converter.allUsers(this.#memberOrder);
    this.#count(projects, documents, users.length);
    const header = { ...organization, credentials, users, tags: this.#converter.documentTags.all() };
    return seedFile({ header, projects, documents }, this.#settings, this.#spool);
  }

  async #findProjects(): Promise<Project[]> {
    const { projects, signal } = this.#settings;
    const listed = await this.#client.projects.list({ signal });
    if (!projects) return listed;
    const lookup = new Lookup(this.#client, { signal });
    const ids = await Promise.all(projects.map((reference) => lookup.project(reference)));
    const wanted = new Set(ids.map(({ id }) => id));
    return listed.filter(({ id }) => wanted.has(id));
  }

  /** Returns undefined if the project was deleted, unless it was requested explicitly. */
  async #readProject(project: Project): Promise<ReadProject | undefined> {
    try {
      return await this.#readContent(project);
    } catch (error) {
      if (this.#settings.projects) throw error;
      const { signal } = this.#settings;
      await confirmDeleted({ client: this.#client, signal }, project.id, error);
      return undefined;
    }
  }

  async #readContent(project: Project): Promise<ReadProject> {
    const { signal } = this.#settings;
    const projectId = project.id;
    const tags = new Tags(this.#redaction);
    const ticketLabels = new Map<string, Label>();
    const assignees = new Set<string>();
    const { boards, tickets } = await readBoardsAndTickets({
      client: this.#client,
      projectId,
      signal,
      store: async (ticket) => {
        for (const label of listOf(ticket.labels)) ticketLabels.set(label.id, label);
        const converted = this.#converter.ticket(ticket, tags);
        for (const id of converted.assignees) assignees.add(id);
        await this.#advance('tickets');
        return this.#spool.add(JSON.stringify(converted));
      },
    });
    const { projects } = this.#client;
    const members = this.#converter.users(await projects.members.list(projectId, { signal }));
    const labels = await projects.labels.list(projectId, { signal });
    const listedTags = await projects.tags.list(projectId, { signal });
    this.#memberOrder.push(...members);
    // Tickets can refer to members, labels, and tags that are no longer in the lists.
    const otherLabels = [...ticketLabels.values()].sort(by(({ id }) => id));
    const allLabels = new Map([...labels, ...otherLabels].map((label) => [label.id, label]));
    const slugs = new DistinctNames();
    await this.#advance('projects');
    return {
      header: {
        ...this.#converter.project(project),
        members: [...new Set([...members, ...[...assignees].sort()])],
        labels: [...allLabels.values()].map((label) => this.#converter.label(label)),
        tags: tags.all(listedTags),
      },
      boards: boards.map((board) => ({
        header: this.#converter.board(board, slugs),
        wipLimit: board.wip_limit ?? Infinity,
        tickets: [...tickets.values()].filter(({ boardId }) => boardId === board.id),
      })),
    };
  }

  /** @param projects the IDs of the pulled projects */
  async #readDocuments(projects: ReadonlySet<string>): Promise<PlacedDocument[]> {
    const { signal } = this.#settings;
    const isLimited = this.#settings.projects !== undefined;
    const [only, ...others] = projects;
    const project_id = isLimited && others.length === 0 ? only : undefined;
    const list = this.#client.documents.list({ per_page: 100, project_id }, { signal });
    const documents: PlacedDocument[] = [];
    for await (const { data } of list.pages({ complete: true })) {
      const wanted = data.filter(({ project_id }) => !isLimited || projects.has(project_id ?? ''));
      for (const batch of batchesOf(wanted, concurrency)) {
        for (const document of await Promise.all(batch.map((listed) => this.#completeDocument(listed)))) {
          if (!document) continue;
          const { id, created_at: createdAt } = document;
          const text = JSON.stringify(this.#converter.document(document, projects));
          await this.#advance('documents');
          documents.push({ id, createdAt, spooled: await this.#spool.add(text) });
        }
      }
    }
    return documents.sort(by(({ createdAt }) => createdAt));
  }

  /** Requests a document if the list omits its content. Returns undefined if the document was deleted. */
  async #completeDocument(listed: Document): Promise<Document | undefined> {
    if (listed.content_html !== undefined) return listed;
    return unlessMissing(this.#client.documents.get(listed.id, { signal: this.#settings.signal }));
  }

  #takeSample(projects: readonly ReadProject[], documents: PlacedDocument[]): void {
    const { sample } = this.#settings;
    if (sample === undefined) return;
    const firstOf = (items: readonly { id: string }[], count: number) => {
      const ranked = items.map(({ id }) => ({ id, rank: this.#redaction.rank(id) }));
      ranked.sort(by(({ rank }) => rank));
      return new Set(ranked.slice(0, count).map(({ id }) => id));
    };
    const boards = projects.flatMap((project) => project.boards);
    const chosen = firstOf(
      boards.flatMap(({ tickets }) => tickets),
      sample,
    );
    for (const board of boards) {
      const onBoard = board.tickets.filter(({ id }) => chosen.has(id));
      const allowed = firstOf(onBoard, board.wipLimit);
      this.report.leftOut += board.tickets.length - allowed.size;
      board.tickets = onBoard.filter(({ id }) => allowed.has(id));
    }
    const chosenDocuments = firstOf(documents, sample);
    this.report.leftOut += documents.length - chosenDocuments.size;
    documents.splice(0, documents.length, ...documents.filter(({ id }) => chosenDocuments.has(id)));
  }

  #count(projects: readonly ReadProject[], documents: readonly PlacedDocument[], users: number): void {
    const boards = projects.flatMap((project) => project.boards);
    const tickets = boards.flatMap((board) => board.tickets);
    Object.assign(this.report, {
      projects: projects.length,
      boards: boards.length,
      tickets: tickets.length,
      documents: documents.length,
      users,
    } satisfies Omit<PullReport, 'leftOut'>);
  }

  async #advance(kind: keyof PullProgress): Promise<void> {
    this.#progress[kind]++;
    await this.#settings.onProgress?.({ ...this.#progress });
  }
}

const byPosition = (one: PlacedTicket, other: PlacedTicket) =>
  one.position - other.position || one.number - other.number;
