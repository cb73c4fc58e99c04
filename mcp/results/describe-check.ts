import type { OperationId } from '../../src/contract/index.js';

/** Explains how to check whether a write with a lost response succeeded. */
export function describeCheck(operation: OperationId, availableTools: ReadonlySet<string>): string {
  const check = checks[operation];
  if (!check) return "The API can't confirm it. Ask the user to check";
  const [tool = ''] = check.split(' ');
  return availableTools.has(tool) ? `Check with ${check}` : 'Ask the user to check';
}

/** The tools that show whether a write was performed. Comments and notifications can't be read. */
const checks: Partial<Record<OperationId, string>> = {
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
