import type { OperationId } from '../../src/contract/index.js';
import { type Board, PermissionDeniedError } from '../../src/index.js';
import { LookupError, type Named } from '../../src/names.js';
import { cleanLine, cleanText } from '../text/clean-text.js';
import { type Arguments, inParallel, lookupFor, type ToolCall } from './tool.js';

/**
 * Confirmation prompts for operations that delete data or notify users. Each prompt names everything that the
 * call affects. Creating a prompt fails if a record doesn't exist. The arguments contain IDs.
 */
export const questions: Partial<Record<OperationId, (args: Arguments, call: ToolCall) => Promise<string>>> = {
  'projects.delete': async ({ project }, { client, signal }) => {
    const id = String(project);
    const record = await ifAllowed(client.projects.get(id, { signal }));
    const boards = await ifAllowed(client.boards.list(id, { signal }));
    const tickets = await ifAllowed(client.tickets.list(id, { per_page: 1 }, { signal }));
    const contents = `${boards?.length ?? 'its'} boards and ${tickets?.total ?? 'their'} tickets`;
    return `Delete the project ${record ? `${quoted(record.name)} (${cleanLine(record.key)})` : quoted(id)}, including ${contents}?`;
  },
  'boards.delete': async ({ board, move_to_board_id: target }, call) => {
    const found = await findBoards([board, target].filter(Boolean) as string[], call);
    const shown = (id: unknown) => `${quoted(found?.get(String(id))?.name ?? id)}`;
    const project = found?.get(String(board))?.project;
    const where = project ? ` of the project ${quoted(project.name)}` : '';
    return `Delete the board ${shown(board)}${where}${target ? ` and move its tickets to ${shown(target)}` : ''}?`;
  },
  'tickets.delete': async ({ ticket }, call) => {
    const record = await ifAllowed(call.client.tickets.get(String(ticket), { signal: call.signal }));
    if (!record) return `Delete the ticket ${quoted(ticket)}?`;
    const { title, number, project_id } = record;
    // Name the project, because tickets in several projects can have the same title and number.
    const project = await projectOf(project_id, call);
    return `Delete the ticket ${quoted(title)} (number ${number} of the project ${project})?`;
  },
  'documents.delete': async ({ document }, call) => {
    const record = await ifAllowed(call.client.documents.get(String(document), { signal: call.signal }));
    if (!record) return `Delete the document ${quoted(document)}?`;
    const { title, status, project_id } = record;
    const project = project_id ? ` of the project ${await projectOf(project_id, call)}` : '';
    return `Delete the document ${quoted(title)} (${status}, ID ${cleanLine(record.id)})${project}?`;
  },
  'notifications.send': async ({ user_ids, title, body, url }, call) => {
    const users = await ifAllowed(lookupFor(call).users());
    const names = (user_ids as string[]).map((id) => cleanLine(users?.find(id).name ?? id));
    const lines = cleanText(String(body)).replace(/^/gm, '> ');
    const link = url ? `\nLink: ${cleanLine(String(url))}` : '';
    return `Send this notification to ${names.join(', ')}?\nTitle: ${cleanLine(String(title))}\n${lines}${link}`;
  },
};

/** Quotes a user-provided name on one line. */
export const quoted = (value: unknown): string => JSON.stringify(cleanLine(String(value)));

async function projectOf(id: string, call: ToolCall): Promise<string> {
  const project = (await lookupFor(call).projects())?.records.find((record) => record.id === id);
  return project ? `${quoted(project.name)} (${cleanLine(project.key)})` : quoted(id);
}

/**
 * Returns undefined if the credential isn't allowed to read a record. In that case, the question shows the
 * record's ID.
 */
export async function ifAllowed<Result>(read: PromiseLike<Result>): Promise<Result | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof PermissionDeniedError) return undefined;
    throw error;
  }
}

/**
 * Finds boards by their IDs. Reads the boards of all projects, because the API has no endpoint for a single
 * board.
 */
async function findBoards(ids: readonly string[], call: ToolCall) {
  const { client, signal } = call;
  const projects = await ifAllowed(client.projects.list({ signal }));
  if (!projects) return undefined;
  const found = new Map<string, Board & { project: Named }>();
  const lists = await inParallel(projects, ({ id }) => ifAllowed(client.boards.list(id, { signal })));
  for (const [index, boards] of lists.entries()) {
    for (const board of boards ?? []) found.set(board.id, { ...board, project: projects[index] as Named });
  }
  if (lists.includes(undefined)) return found;
  const missing = ids.find((id) => !found.has(id));
  if (missing) throw new LookupError('unknown', `${quoted(missing)} is not a board in any project`);
  return found;
}
