import type { OperationId } from '../../src/contract/index.js';
import { PermissionDeniedError, type Worktrack } from '../../src/index.js';
import type { Lookup } from '../../src/lookup.js';
import { UsageError } from '../command-line.js';
import { confirm } from '../terminal/prompt.js';

/**
 * Asks the user to confirm a deletion.
 *
 * @throws UsageError if the user doesn't confirm, or if standard input isn't a terminal
 */
export async function confirmDeletion(
  operation: OperationId,
  id: string,
  client: Worktrack,
  lookup: Lookup,
): Promise<void> {
  const record = await describeRecord(operation, id, client, lookup).catch((error) => {
    // A credential may be allowed to delete records but not to read them.
    if (error instanceof PermissionDeniedError) return `the record with the ID ${id}`;
    throw error;
  });
  if (!process.stdin.isTTY) throw new UsageError(`this would delete ${record}; to delete it, pass --yes`);
  if (!(await confirm(`Delete ${record}?`))) throw new UsageError('not confirmed; nothing was deleted');
}

async function describeRecord(
  operation: OperationId,
  id: string,
  client: Worktrack,
  lookup: Lookup,
): Promise<string> {
  if (operation === 'projects.delete') {
    const { name, key } = await client.projects.get(id);
    return `the project "${name}" (${key}), including its boards and tickets`;
  }
  if (operation === 'tickets.delete') {
    const { project_id, number, title } = await client.tickets.get(id);
    const { key } = await lookup.project(project_id);
    return `the ticket "${title}" (${key === undefined ? number : `${key}-${number}`})`;
  }
  if (operation === 'documents.delete') return `the document "${(await client.documents.get(id)).title}"`;
  // Search all projects, because the API has no endpoint for a single board.
  for (const project of (await lookup.projects())?.records ?? []) {
    const board = (await lookup.boards(project.id)).records.find((board) => board.id === id);
    if (board) return `the board "${board.name}" of ${project.name} (${project.key})`;
  }
  return `the board with the ID ${id}`;
}
