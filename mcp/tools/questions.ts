import type { OperationId } from '../../src/contract/index.js';
import { describeDeletion } from '../../src/describe-deletion.js';
import { ifAllowed } from '../../src/errors/expected-errors.js';
import { cleanLine, cleanText } from '../text/clean-text.js';
import { type Arguments, lookupFor, type ToolCall } from './tool.js';

/**
 * Confirmation prompts for operations that delete data or notify users. Each prompt names everything that the
 * call affects. Creating a prompt fails if a record doesn't exist. The arguments contain IDs.
 */
export const questions: Partial<Record<OperationId, (args: Arguments, call: ToolCall) => Promise<string>>> = {
  'projects.delete': ({ project }, call) => deletionOf('projects.delete', project, call),
  'boards.delete': ({ board, move_to_board_id: target }, call) =>
    deletionOf('boards.delete', board, call, target),
  'tickets.delete': ({ ticket }, call) => deletionOf('tickets.delete', ticket, call),
  'documents.delete': ({ document }, call) => deletionOf('documents.delete', document, call),
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

async function deletionOf(
  id: OperationId,
  record: unknown,
  call: ToolCall,
  target?: unknown,
): Promise<string> {
  const { client, signal } = call;
  const context = { client, signal, lookup: lookupFor(call), clean: cleanLine };
  const board = target === undefined ? undefined : String(target);
  return `Delete ${await describeDeletion(id, String(record), context, board)}?`;
}
