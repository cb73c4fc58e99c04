import type { OperationId } from '../../src/contract/index.js';
import { cleanLine } from '../text/clean-text.js';
import { shorten } from '../text/size.js';
import type { Arguments, Tool } from './tool.js';

/** The confirmation questions for operations that delete something or notify people. */
export const questions: Partial<Record<OperationId, Tool['question']>> = {
  'projects.delete': async (args, call) =>
    `Delete the project ${await named(args.project, (id) => call.client.projects.get(id), 'name')}, including its boards and tickets?`,
  'boards.delete': async ({ board }) => `Delete the board ${text(board)}?`,
  'tickets.delete': async (args, call) =>
    `Delete the ticket ${await named(args.ticket, (id) => call.client.tickets.get(id), 'title')}?`,
  'documents.delete': async (args, call) =>
    `Delete the document ${await named(args.document, (id) => call.client.documents.get(id), 'title')}?`,
  'notifications.send': async ({ user_ids, title, body }: Arguments) => {
    const count = Array.isArray(user_ids) ? user_ids.length : 0;
    return `Notify ${count} ${count === 1 ? 'user' : 'users'}? ${text(title)}: ${text(body)}`;
  },
};

/** Returns the record's name and ID, or only the ID if the record can't be read. */
async function named(id: unknown, get: (id: string) => PromiseLike<object>, field: string): Promise<string> {
  try {
    const record = (await get(String(id))) as Record<string, unknown>;
    return `${text(record[field])} (${text(id)})`;
  } catch {
    return text(id);
  }
}

const text = (value: unknown) => JSON.stringify(shorten(cleanLine(String(value)), 120));
