import type { OperationId } from 'worktrack/contract';
import { endpoints } from '../contract/endpoints.js';
import { type Answer, wire } from './support.js';
import type { Mock } from './world.js';

/** A body that each operation accepts in the world of the tests; undefined where it takes none. */
export const bodies: Record<OperationId, Record<string, unknown> | undefined> = {
  'organization.get': undefined,
  'projects.list': undefined,
  'projects.create': { name: 'Hermes', key: 'HER' },
  'projects.get': undefined,
  'projects.update': { name: 'Apollo 2' },
  'projects.delete': undefined,
  'projects.members.list': undefined,
  'projects.labels.list': undefined,
  'projects.tags.list': undefined,
  'projects.analytics.get': undefined,
  'boards.list': undefined,
  'boards.create': { name: 'Review' },
  'boards.reorder': { board_ids: ['brd_done', 'brd_doing', 'brd_todo'] },
  'boards.update': { name: 'Next' },
  'boards.delete': { move_to_board_id: 'brd_done' },
  'tickets.list': undefined,
  'tickets.create': { board_id: 'brd_todo', title: 'Launch' },
  'tickets.reorder': { board_id: 'brd_todo', ticket_ids: ['tkt_c', 'tkt_b', 'tkt_a'] },
  'tickets.get': undefined,
  'tickets.update': { title: 'Alpha 2' },
  'tickets.delete': undefined,
  'tickets.move': { board_id: 'brd_doing', position: 0 },
  'tickets.comments.create': { body_html: '<p>Well done</p>' },
  'documents.list': undefined,
  'documents.create': { title: 'Runbook' },
  'documents.get': undefined,
  'documents.update': { title: 'Guide 2' },
  'documents.delete': undefined,
  'documents.comments.create': { body_html: '<p>Well said</p>' },
  'notifications.send': { user_ids: ['usr_bob'], title: 'Release', body: 'It is out.' },
};

/** Ids for the parameters of a path. */
export type Ids = Record<'organization' | 'project' | 'board' | 'ticket' | 'document', string>;

/** Records of the credential's organization. */
export const own: Ids = {
  organization: 'org_acme',
  project: 'prj_apollo',
  board: 'brd_todo',
  ticket: 'tkt_a',
  document: 'doc_guide',
};

/** Records of another organization. */
export const foreign: Ids = {
  organization: 'org_other',
  project: 'prj_other',
  board: 'brd_other',
  ticket: 'tkt_other',
  document: 'doc_other',
};

/** Ids that no record has. */
export const unknown: Ids = {
  organization: 'org_nobody',
  project: 'prj_nobody',
  board: 'brd_nobody',
  ticket: 'tkt_nobody',
  document: 'doc_nobody',
};

export interface CallOptions {
  token?: string | null;
  ids?: Partial<Ids>;
  /** Replaces the accepted body; a text goes out as it is. */
  body?: unknown;
}

/** Sends an operation's request, accepted unless the options spoil it. */
export function call(mock: Mock, operation: OperationId, options: CallOptions = {}): Promise<Answer> {
  const { method, path } = endpoints[operation];
  const body = 'body' in options ? options.body : bodies[operation];
  return wire(mock, options.token).send(method, pathOf(path, options.ids), body);
}

/** Fills a path template with the given ids, and with {@link own} ones where none is given. */
export const pathOf = (template: string, ids: Partial<Ids> = {}): string =>
  template.replace(/\{(\w+)\}/g, (_, name: keyof Ids) => encodeURIComponent({ ...own, ...ids }[name]));

/** The parameter of a path that names a record rather than the organization, if there is one. */
export const recordParameter = (operation: OperationId): Exclude<keyof Ids, 'organization'> | undefined => {
  const [, name] = /\{(project|board|ticket|document)\}/.exec(endpoints[operation].path) ?? [];
  return name as Exclude<keyof Ids, 'organization'> | undefined;
};
