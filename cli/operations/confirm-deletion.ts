import type { OperationId } from '../../src/contract/index.js';
import { describeDeletion } from '../../src/describe-deletion.js';
import type { Worktrack } from '../../src/index.js';
import type { Lookup } from '../../src/lookup.js';
import { UsageError } from '../command-line.js';
import { confirm } from '../terminal/prompt.js';

/**
 * Asks the user to confirm a deletion.
 *
 * @param target the board that receives a deleted board's tickets
 * @throws UsageError if the user doesn't confirm, or if standard input isn't a terminal
 */
export async function confirmDeletion(
  operation: OperationId,
  id: string,
  client: Worktrack,
  lookup: Lookup,
  target: string | undefined,
): Promise<void> {
  // The prompt and error messages are sanitized when they're printed.
  const context = { client, lookup, clean: (text: string) => text };
  const deletion = await describeDeletion(operation, id, context, target);
  if (!process.stdin.isTTY) throw new UsageError(`this would delete ${deletion}; to delete it, pass --yes`);
  if (!(await confirm(`Delete ${deletion}?`))) throw new UsageError('not confirmed; nothing was deleted');
}
