import { type OperationId, operationIds, operationOf } from 'worktrack/contract';
import { operations } from '../../support/operations.js';

interface ToolCall {
  args: Record<string, unknown>;
  /** A string that the result must contain. */
  shows: string;
}

/** Calls to operation tools that use the Apollo seed data. */
const specificCalls: Partial<Record<OperationId, ToolCall>> = {
  'organization.get': { args: {}, shows: 'name: Acme' },
  'projects.list': { args: {}, shows: 'prj_apollo | APO | Apollo' },
  'projects.create': {
    args: { name: 'Gemini', key: 'GEM', description: 'Two at a time' },
    shows: 'key: GEM',
  },
  'projects.get': { args: { project: 'prj_apollo' }, shows: 'description: The launch' },
  'projects.update': { args: { project: 'prj_apollo', name: 'Apollo 11' }, shows: 'name: Apollo 11' },
  'projects.delete': { args: { project: 'prj_apollo' }, shows: 'done' },
  'projects.members.list': { args: { project: 'prj_apollo' }, shows: 'usr_bob | Bob | member' },
  'projects.labels.list': { args: { project: 'prj_apollo', per_page: 1 }, shows: 'lbl_bug | bug' },
  'projects.analytics.get': { args: { project: 'prj_apollo' }, shows: 'by_board:' },
  'projects.tags.list': { args: { project: 'prj_apollo', page: 1 }, shows: 'crew | 1' },
  'boards.list': { args: { project: 'prj_apollo' }, shows: 'brd_doing | Doing | 2' },
  'boards.create': { args: { project: 'prj_apollo', name: 'Blocked', wip_limit: 5 }, shows: 'wip_limit: 5' },
  'boards.reorder': {
    args: { project: 'prj_apollo', board_ids: ['brd_done', 'brd_review', 'brd_doing', 'brd_todo'] },
    shows: 'boards 1-4 of 4',
  },
  'boards.update': { args: { board: 'brd_doing', wip_limit: null }, shows: 'name: Doing' },
  'boards.delete': { args: { board: 'brd_doing', move_to_board_id: 'brd_todo' }, shows: 'done' },
  'tickets.list': { args: { project: 'prj_apollo', per_page: 2 }, shows: 'More: page=2' },
  'tickets.create': {
    args: {
      project: 'prj_apollo',
      board_id: 'brd_todo',
      title: 'Splashdown',
      priority: 'high',
      due_at: '2026-02-01T12:00:00+01:00',
      assignee_ids: ['usr_grace'],
    },
    shows: 'assignees: Grace (usr_grace)',
  },
  'tickets.reorder': {
    args: {
      project: 'prj_apollo',
      board_id: 'brd_todo',
      ticket_ids: ['tkt_dinner', 'tkt_radio', 'tkt_manual'],
    },
    shows: 'done',
  },
  'tickets.get': { args: { ticket: 'tkt_guidance' }, shows: 'Restart logic of the **landing** phase.' },
  'tickets.update': {
    args: { ticket: 'tkt_radio', priority: 'highest', due_at: null },
    shows: 'priority: highest',
  },
  'tickets.delete': { args: { ticket: 'tkt_dinner' }, shows: 'done' },
  'tickets.move': {
    args: { ticket: 'tkt_radio', board_id: 'brd_done', position: 0 },
    shows: 'board_id: brd_done',
  },
  'tickets.comments.create': {
    args: { ticket: 'tkt_guidance', body_html: '<p>Reads well.</p>' },
    shows: 'ticket_id: tkt_guidance',
  },
  'documents.list': { args: { tags: ['launch', 'ops'], status: 'published' }, shows: 'Launch runbook' },
  'documents.create': {
    args: { project_id: 'prj_apollo', title: 'Splashdown notes', tag_names: ['landing'] },
    shows: 'status: draft',
  },
  'documents.get': { args: { document: 'doc_runbook' }, shows: 'Fuel, doors, crew.' },
  'documents.update': { args: { document: 'doc_menu', status: 'published' }, shows: 'status: published' },
  'documents.delete': { args: { document: 'doc_menu' }, shows: 'done' },
  'documents.comments.create': {
    args: { document: 'doc_runbook', body_html: '<p>On the wall.</p>' },
    shows: 'document_id: doc_runbook',
  },
  'notifications.send': {
    args: { user_ids: ['usr_ada', 'usr_bob'], title: 'Launch at nine', body: 'Bring sunglasses.' },
    shows: 'notification_ids:',
  },
};

const apollo: Record<string, string> = {
  project: 'prj_apollo',
  board: 'brd_doing',
  ticket: 'tkt_radio',
  document: 'doc_runbook',
};

/** One call per operation tool. Each call defaults to the operation's example. */
export const toolCalls = Object.fromEntries(
  operationIds.map((id) => {
    const ids = operationOf(id).parameters.flatMap((name) => (apollo[name] ? [[name, apollo[name]]] : []));
    const args = { ...Object.fromEntries(ids), ...operations[id].example };
    return [id, specificCalls[id] ?? { args, shows: '' }];
  }),
) as Record<OperationId, ToolCall>;

/** Calls to the other tools. */
const otherCalls: Record<string, ToolCall> = {
  board_overview: { args: { project: 'APO' }, shows: '[board Doing | brd_doing] ' },
  changes_since: { args: { project: 'APO', since: '2026-01-01T00:00:00Z' }, shows: 'records changed since' },
  find_tickets: { args: { q: 'radio' }, shows: 'Radio check' },
  tickets_move_many: { args: { tickets: ['APO-2', 'tkt_dinner'], board_id: 'Done' }, shows: '2 done.' },
  tickets_update_many: {
    args: { tickets: ['APO-2', 'tkt_dinner'], priority: 'low' },
    shows: '1 done, 1 unchanged.',
  },
  weekly_summary: { args: { project: 'prj_apollo' }, shows: 'tickets done' },
  mock_seed: { args: {}, shows: '1 project,' },
  mock_reset: { args: {}, shows: 'done' },
  mock_fault: { args: { tool: 'tickets_get', status: 503, times: 3 }, shows: 'Active faults: 1' },
  mock_clock: { args: { set: '2026-03-01T09:00:00Z' }, shows: '2026-03-01T09:00:00.000Z' },
};

/** One call per tool. */
export const callsByTool: Readonly<Record<string, ToolCall>> = {
  ...Object.fromEntries(operationIds.map((id) => [id.replaceAll('.', '_'), toolCalls[id]])),
  ...otherCalls,
};
