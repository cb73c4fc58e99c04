import type { OperationId } from '../../src/contract/index.js';
import type { Worktrack } from '../../src/index.js';
import { counted, ifAllowed } from '../../src/internal.js';
import { batchesOf } from './lists.js';
import type { FoundProject, Lookup, LookupOptions } from './lookup.js';
import { LookupError } from './names.js';

/** The data needed to describe a deletion to the user who has to confirm it. */
export interface DeletionContext extends Pick<LookupOptions, 'signal'> {
  client: Worktrack;
  lookup: Lookup;
  /** Removes characters that could mislead the user from text sent by the server. */
  clean(text: string): string;
}

type Describe = (id: string, context: DeletionContext, target: string | undefined) => Promise<string>;

/**
 * Describes what deleting a record affects, such as `the ticket "Radio check" (number 2 of the project "Apollo"
 * (APO))`. Shows only the ID if the credential isn't allowed to read the record. Rejects if the record doesn't
 * exist.
 *
 * @param target the board that receives a deleted board's tickets
 */
export function describeDeletion(
  operation: OperationId,
  id: string,
  context: DeletionContext,
  target?: string,
): Promise<string> {
  return deletions[operation as keyof typeof deletions](id, context, target);
}

const deletions = {
  async 'projects.delete'(id, context) {
    const { client, signal } = context;
    const record = await ifAllowed(client.projects.get(id, { signal }));
    const boards = await ifAllowed(client.boards.list(id, { signal }));
    const tickets = await ifAllowed(client.tickets.list(id, { per_page: 1 }, { signal }));
    const boardCount = boards ? counted(boards.length, 'board') : 'its boards';
    const ticketCount = tickets ? counted(tickets.total, 'ticket') : 'their tickets';
    return `the project ${nameOf(record ?? { id }, context)}, including ${boardCount} and ${ticketCount}`;
  },
  async 'boards.delete'(id, context, target) {
    const found = await findBoard(id, context);
    const project = found ? ` of the project ${nameOf(found.project, context)}` : '';
    const other = found?.boards.find((board) => board.id === target);
    const move =
      target === undefined ? '' : ` and move its tickets to ${quoted(other?.name ?? target, context)}`;
    return `the board ${quoted(found?.board.name ?? id, context)}${project}${move}`;
  },
  async 'tickets.delete'(id, context) {
    const record = await ifAllowed(context.client.tickets.get(id, { signal: context.signal }));
    if (!record) return `the ticket ${quoted(id, context)}`;
    // Name the project, because tickets in several projects can have the same title and number.
    const project = await projectOf(record.project_id, context);
    return `the ticket ${quoted(record.title, context)} (number ${record.number} of the project ${project})`;
  },
  async 'documents.delete'(id, context) {
    const record = await ifAllowed(context.client.documents.get(id, { signal: context.signal }));
    if (!record) return `the document ${quoted(id, context)}`;
    const { title, status, project_id } = record;
    const project = project_id ? ` of the project ${await projectOf(project_id, context)}` : '';
    return `the document ${quoted(title, context)} (${status}, ID ${context.clean(record.id)})${project}`;
  },
} satisfies Partial<Record<OperationId, Describe>>;

const quoted = (text: string, { clean }: DeletionContext): string => JSON.stringify(clean(text));

const nameOf = ({ id, name, key }: FoundProject, context: DeletionContext): string =>
  quoted(name ?? id, context) + (key === undefined ? '' : ` (${context.clean(key)})`);

async function projectOf(id: string, context: DeletionContext): Promise<string> {
  const projects = (await context.lookup.projects())?.records;
  return nameOf(projects?.find((project) => project.id === id) ?? { id }, context);
}

/**
 * Finds a board by its ID. Reads the boards of all projects, because the API has no endpoint for a single board.
 *
 * @returns the board, its project, and all boards of the project; undefined if the credential can't read them
 */
async function findBoard(id: string, context: DeletionContext) {
  const projects = (await context.lookup.projects())?.records;
  if (!projects) return undefined;
  let isHidden = false;
  for (const batch of batchesOf(projects, concurrency)) {
    const lists = await Promise.all(
      batch.map(async (project) => {
        const boards = (await ifAllowed(context.lookup.boards(project.id)))?.records;
        return { project, boards, board: boards?.find((board) => board.id === id) };
      }),
    );
    for (const { project, boards, board } of lists) if (boards && board) return { project, boards, board };
    isHidden ||= lists.some(({ boards }) => !boards);
  }
  if (isHidden) return undefined;
  throw new LookupError('unknown', `${quoted(id, context)} is not a board in any project`);
}

const concurrency = 4;
