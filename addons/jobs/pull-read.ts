import type { Board, Document, Label, Project, Ticket } from '../../src/contract/index.js';
import { type CallOptions, NotFoundError, type PageList, type Worktrack } from '../../src/index.js';
import { unlessMissing } from '../../src/internal.js';
import { batchesOf, by } from '../shared/lists.js';
import { Names } from '../shared/names.js';
import type { PulledBoard, PulledData, SeedStore, Stored } from './pull-file.js';
import { listOf, type Seed, type SeedRecords, SeedTags } from './pull-rules.js';

/** What a pull reads, and where it stores the redacted tickets and documents. */
export interface PullSource {
  client: Worktrack;
  /** The IDs, keys, or names of the projects, or undefined for all projects. */
  projects: readonly string[] | undefined;
  documents: boolean;
  seeds: SeedRecords;
  store: SeedStore;
  call: CallOptions;
  onProgress: ((records: number) => void) | undefined;
}

interface PlacedTicket extends Stored {
  id: string;
  boardId: string;
  position: number;
  number: number;
}

/** @throws LookupError if a project is unknown, or its name is ambiguous */
export async function readDeployment(source: PullSource): Promise<PulledData> {
  const { client, seeds, call } = source;
  const organization = seeds.convert('organization', await client.organization.get(call));
  const listed = await client.projects.list(call);
  const names = new Names('project', listed, '');
  const wanted = source.projects?.map((reference) => names.find(reference)) ?? listed;
  const found = new Map<string, PulledData['projects'][number]>();
  for (const project of listed.filter((project) => wanted.includes(project))) {
    try {
      found.set(project.id, await readProject(source, project));
    } catch (error) {
      // Leave out a project that was deleted during the pull, unless it was requested explicitly.
      if (!(error instanceof NotFoundError) || source.projects) throw error;
      if (await unlessMissing(client.projects.get(project.id, call))) throw error;
    }
  }
  const tags = new SeedTags(seeds.redaction);
  const documents = source.documents ? await readDocuments(source, found, tags) : [];
  return {
    organization: { ...organization, ...seeds.people(), tags: tags.all() },
    projects: [...found.values()],
    documents,
  };
}

async function readProject(source: PullSource, project: Project): Promise<PulledData['projects'][number]> {
  const { client, seeds, call } = source;
  const { projects } = client;
  const members = new Set(seeds.users(await projects.members.list(project.id, call)));
  const labels = new Map<string, Label>();
  for (const label of await projects.labels.list(project.id, call)) labels.set(label.id, label);
  const tags = new SeedTags(seeds.redaction);
  tags.names(await projects.tags.list(project.id, call));

  const tickets = new Map<string, PlacedTicket>();
  const addTicket = async (ticket: Ticket) => {
    const seed = seeds.convert('ticket', ticket, tags);
    // People and labels may have been added after their lists were read.
    for (const user of seeds.users(ticket.assignees)) members.add(user);
    for (const label of listOf<Label>(ticket.labels)) labels.set(label.id, labels.get(label.id) ?? label);
    const { id, board_id: boardId, position, number } = ticket;
    tickets.set(id, { id, boardId, position, number, ...(await addTo(source, id, seed)) });
  };
  const list = client.tickets.list(project.id, { per_page: 200 }, call);
  const isWhole = ({ description_html }: Ticket) => description_html !== undefined;
  const get = (id: string) => client.tickets.get(id, call);
  for await (const ticket of readWhole(list, isWhole, get)) await addTicket(ticket);

  const boards = await readBoards(source, project.id, tickets, addTicket);
  return {
    seed: {
      ...seeds.convert('project', project),
      members: [...members],
      labels: [...labels.values()].map((label) => seeds.convert('label', label)),
      tags: tags.all(),
    },
    boards,
  };
}

/**
 * Reads the boards after the tickets. If a board was deleted in the meantime, its tickets were moved, so
 * they're read again.
 */
async function readBoards(
  { client, seeds, call }: PullSource,
  projectId: string,
  tickets: Map<string, PlacedTicket>,
  addTicket: (ticket: Ticket) => Promise<void>,
): Promise<PulledBoard[]> {
  const boards = new Map<string, Partial<Board>>();
  for (let round = 0; round < maxRounds; round++) {
    boards.clear();
    for (const board of await client.boards.list(projectId, call)) boards.set(board.id, board);
    const misplaced = [...tickets.values()].filter(({ boardId }) => !boards.has(boardId));
    for (const batch of batchesOf(misplaced, concurrency)) {
      const found = await Promise.all(batch.map(({ id }) => unlessMissing(client.tickets.get(id, call))));
      for (const { id } of batch) tickets.delete(id);
      for (const ticket of found) if (ticket) await addTicket(ticket);
    }
    if (misplaced.length === 0) break;
  }
  const onBoards = new Map<string, PlacedTicket[]>([...boards.keys()].map((id) => [id, []]));
  for (const ticket of tickets.values()) {
    // Some deployments don't list every board, so boards that only tickets refer to are added.
    const onBoard = onBoards.get(ticket.boardId) ?? [];
    onBoard.push(ticket);
    onBoards.set(ticket.boardId, onBoard);
  }
  return [...onBoards].map(([id, onBoard]) => ({
    seed: seeds.convert('board', boards.get(id) ?? { id, name: 'Unlisted board', is_hidden: true }),
    tickets: onBoard.sort((one, other) => one.position - other.position || one.number - other.number),
  }));
}

async function readDocuments(
  source: PullSource,
  projects: ReadonlyMap<string, unknown>,
  tags: SeedTags,
): Promise<Stored[]> {
  const { client, seeds, call } = source;
  const [only] = source.projects && projects.size === 1 ? projects.keys() : [];
  const isWanted = ({ project_id }: Document) => !source.projects || projects.has(project_id ?? '');
  const list = client.documents.list({ per_page: 100, project_id: only }, call);
  const isWhole = (document: Document) => document.content_html !== undefined || !isWanted(document);
  const get = (id: string) => client.documents.get(id, call);
  const documents: (Stored & { createdAt: string })[] = [];
  for await (const document of readWhole(list, isWhole, get)) {
    if (!isWanted(document)) continue;
    const { id, project_id, created_at: createdAt } = document;
    const project = project_id && projects.has(project_id) ? seeds.redaction.id('prj', project_id) : null;
    const seed = { ...seeds.convert('document', document, tags), project };
    documents.push({ createdAt, ...(await addTo(source, id, seed)) });
  }
  return documents.sort(by(({ createdAt }) => createdAt));
}

/** Reads a list completely. Records whose content the list leaves out are read by ID, unless they were deleted. */
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

async function addTo({ store, seeds, onProgress }: PullSource, id: string, seed: Seed): Promise<Stored> {
  const stored = await store.add(JSON.stringify(seed));
  onProgress?.(stored + 1);
  return { stored, rank: seeds.redaction.digest('sample', id) };
}

/** The maximum number of records to request at the same time. */
const concurrency = 8;

/** The maximum number of times to read the boards. */
const maxRounds = 3;
