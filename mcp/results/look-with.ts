import type { OperationId } from '../../src/contract/index.js';

/** Tells the model how to find out whether a write was performed if its response was lost. */
export function lookWith(operation: OperationId, offered: ReadonlySet<string>): string {
  const look = looks[operation];
  if (!look) return "It can't be read through this API: ask the user to look";
  const [tool = ''] = look.split(' ');
  return offered.has(tool) ? `Look with ${look}` : 'Ask the user to look';
}

/** The tools that show the result of a write. Comments and notifications can't be read. */
const looks: Partial<Record<OperationId, string>> = {
  'projects.create': 'projects_list',
  'projects.update': 'projects_get',
  'projects.delete': 'projects_list',
  'boards.create': 'boards_list',
  'boards.reorder': 'boards_list',
  'boards.update': 'boards_list',
  'boards.delete': 'boards_list',
  'tickets.create': 'tickets_list (q: the title)',
  'tickets.reorder': 'tickets_list',
  'tickets.update': 'tickets_get',
  'tickets.delete': 'tickets_get',
  'tickets.move': 'tickets_get',
  'documents.create': 'documents_list (q: the title)',
  'documents.update': 'documents_get',
  'documents.delete': 'documents_get',
};
