import { Worktrack } from 'worktrack';
import { type ErrorCode, type OperationId, operationOf, type RuleErrorCode } from 'worktrack/contract';
import type { MockServer } from 'worktrack/mock-server';
import { exampleBaseUrl, exampleIds, exampleServer } from './examples.js';

/** An error response from the mock server. */
interface ErrorExample {
  body: { code: string };
  retryAfter: string | null;
}

export type ErrorExamples = ReadonlyMap<ErrorCode, ErrorExample>;

/** A request that violates one rule. */
interface Attempt {
  body?: Record<string, unknown>;
  query?: string;
  /** Path parameters to use instead of those in the examples. */
  ids?: Record<string, string>;
  /** A raw request body to send instead of JSON. */
  text?: string;
  token?: string;
}

/** Records the mock server's response for each 422 error code of an operation. */
export async function ruleErrorExamples(id: OperationId): Promise<ErrorExamples> {
  const result = new Map<ErrorCode, ErrorExample>();
  for (const code of operationOf(id).errorCodes) {
    // By default, the request omits the required fields.
    const attempt = attempts[id]?.[code] ?? { body: {} };
    const mock = exampleServer();
    // Lower the WIP limit so that requests can exceed it.
    await clientOf(mock).boards.update('brd_doing', { wip_limit: 1 });
    result.set(code, await recordError(mock, id, code, attempt));
  }
  return result;
}

/** Records the mock server's response for each error code shared by all operations. */
export async function sharedErrorExamples(): Promise<ErrorExamples> {
  const mock = exampleServer();
  mock.credentials.add({ token: 'wt_reader', name: 'Reader', scopes: ['projects:read'] });
  const busy = exampleServer({ rateLimit: { limit: 1 } });
  await clientOf(busy).projects.get('prj_apollo');
  const body = { name: 'Gemini', key: 'GEM' };
  const shared: [ErrorCode, MockServer, OperationId, Attempt][] = [
    ['malformed_json', mock, 'projects.create', { text: 'name=Gemini' }],
    ['invalid_credential', mock, 'projects.get', { token: 'wt_revoked' }],
    ['missing_scope', mock, 'projects.create', { token: 'wt_reader', body }],
    ['wrong_organization', mock, 'projects.list', { ids: { organization: 'org_other' } }],
    ['not_found', mock, 'projects.get', { ids: { project: 'prj_gone' } }],
    ['payload_too_large', exampleServer({ bodyLimit: 8 }), 'projects.create', { body }],
    ['rate_limited', busy, 'projects.get', {}],
  ];
  const result = new Map<ErrorCode, ErrorExample>();
  for (const [code, server, id, attempt] of shared) {
    result.set(code, await recordError(server, id, code, attempt));
  }
  return result;
}

const clientOf = (mock: MockServer) => new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });

const title = 'Splashdown';
const message = { user_ids: ['usr_ada'], title: 'Launch at nine', body: 'Bring sunglasses.' };

const attempts: Partial<Record<OperationId, Partial<Record<RuleErrorCode, Attempt>>>> = {
  'projects.create': { validation_failed: { body: { name: 'Gemini', key: 'GEMINI-PROGRAM' } } },
  'projects.update': { validation_failed: { body: { archived: 'yes' } } },
  'boards.create': { validation_failed: { body: { name: 'Blocked', wip_limit: 0 } } },
  'boards.reorder': {
    validation_failed: { body: { board_ids: 'brd_todo' } },
    invalid_board_list: { body: { board_ids: ['brd_done', 'brd_todo'] } },
  },
  'boards.update': { validation_failed: { body: { wip_limit: 0 } } },
  'boards.delete': {
    validation_failed: { body: { move_to_board_id: 7 } },
    target_board_required: { body: {} },
    invalid_target_board: { body: { move_to_board_id: 'brd_doing' } },
    wip_limit_reached: { ids: { board: 'brd_todo' }, body: { move_to_board_id: 'brd_doing' } },
  },
  'tickets.list': { validation_failed: { query: '?per_page=1000' } },
  'tickets.create': {
    validation_failed: { body: { title } },
    invalid_relation: { body: { board_id: 'brd_todo', title, assignee_ids: ['usr_nobody'] } },
    invalid_board: { body: { board_id: 'brd_gone', title } },
    wip_limit_reached: { body: { board_id: 'brd_doing', title } },
  },
  'tickets.reorder': {
    validation_failed: { body: { board_id: 'brd_todo' } },
    invalid_board: { body: { board_id: 'brd_gone', ticket_ids: [] } },
    invalid_ticket_list: { body: { board_id: 'brd_todo', ticket_ids: ['tkt_radio'] } },
  },
  'tickets.update': {
    validation_failed: { body: { priority: 'urgent' } },
    invalid_relation: { body: { label_ids: ['lbl_gone'] } },
  },
  'tickets.move': {
    validation_failed: { body: { board_id: 'brd_doing', position: -1 } },
    invalid_board: { body: { board_id: 'brd_gone' } },
    wip_limit_reached: { body: { board_id: 'brd_doing' } },
  },
  'documents.list': { validation_failed: { query: '?status=secret' } },
  'documents.create': {
    validation_failed: { body: { title, tag_names: ['x'.repeat(51)] } },
    invalid_relation: { body: { title, project_id: 'prj_gone' } },
  },
  'documents.update': {
    validation_failed: { body: { status: 'secret' } },
    invalid_relation: { body: { editor_ids: ['usr_nobody'] } },
  },
  'notifications.send': {
    validation_failed: { body: { ...message, user_ids: [] } },
    invalid_recipient: { body: { ...message, user_ids: ['usr_ada', 'usr_nobody'] } },
    invalid_url: { body: { ...message, url: 'https://elsewhere.example/' } },
  },
};

async function recordError(mock: MockServer, id: OperationId, code: ErrorCode, attempt: Attempt) {
  const { method, path } = operationOf(id);
  const ids = { ...exampleIds, ...attempt.ids };
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name);
  const body = attempt.text ?? (attempt.body && JSON.stringify(attempt.body));
  const response = await mock.fetch(`${exampleBaseUrl}/api/v1${target}${attempt.query ?? ''}`, {
    method,
    headers: { authorization: `Bearer ${attempt.token ?? mock.clientOptions().token}` },
    ...(body !== undefined && { body }),
  });
  const example = { body: await response.json(), retryAfter: response.headers.get('retry-after') };
  if (example.body.code !== code) {
    throw new Error(`${id}: the example for ${code} is rejected with ${example.body.code}`);
  }
  return example;
}
