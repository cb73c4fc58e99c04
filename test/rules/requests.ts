import type { Method, OperationId } from 'worktrack/contract';
import { everyOperation, type Ids, operations } from '../support/operations.js';
import { type Mock, serve } from './world.js';

/** Untyped JSON, because the contract's types could hide an invalid response. */
export type Json = ReturnType<typeof JSON.parse>;

export interface ApiResponse {
  status: number;
  headers: Headers;
  /** The parsed body, or undefined if the body is empty. */
  body: Json;
  /** The content of the envelope: a record, a list, or a page. */
  data: Json;
}

export interface RawApi {
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
  get(path: string): Promise<ApiResponse>;
  post(path: string, body?: unknown): Promise<ApiResponse>;
  put(path: string, body?: unknown): Promise<ApiResponse>;
  patch(path: string, body?: unknown): Promise<ApiResponse>;
  delete(path: string, body?: unknown): Promise<ApiResponse>;
}

export const origin = 'http://worktrack.test';

/**
 * Sends requests to paths under `/api/v1`. A string body is sent unchanged. Any other body is sent as JSON.
 *
 * @param token - The credential, or null to send none.
 */
export function rawApi(mock: Mock, token: string | null = 'wt_acme'): RawApi {
  const send: RawApi['send'] = async (method, path, body, headers) => {
    const response = await mock.fetch(`${origin}/api/v1${path}`, {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed = text ? JSON.parse(text) : undefined;
    return { status: response.status, headers: response.headers, body: parsed, data: parsed?.data };
  };
  const by = (method: Method) => (path: string, body?: unknown) => send(method, path, body);
  return { send, get: by('GET'), post: by('POST'), put: by('PUT'), patch: by('PATCH'), delete: by('DELETE') };
}

/** Creates a server, like `serve()`, and sends it requests. */
export function start(...seeds: Parameters<typeof serve>): { mock: Mock; api: RawApi } {
  const mock = serve(...seeds);
  return { mock, api: rawApi(mock) };
}

/** IDs of records in the credential's organization. */
export const own: Ids = {
  organization: 'org_acme',
  project: 'prj_apollo',
  board: 'brd_todo',
  ticket: 'tkt_a',
  document: 'doc_guide',
};

/** IDs of records in another organization. */
export const foreign: Ids = {
  organization: 'org_other',
  project: 'prj_other',
  board: 'brd_other',
  ticket: 'tkt_other',
  document: 'doc_other',
};

/** IDs that don't exist. */
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
  /** Replaces the example body. A string is sent unchanged. */
  body?: unknown;
}

/** Sends an operation's example request, which is valid unless the options change it. */
export function call(mock: Mock, operation: OperationId, options: CallOptions = {}): Promise<ApiResponse> {
  const { method, path, example } = operations[operation];
  return rawApi(mock, options.token).send(
    method,
    pathOf(path, options.ids),
    'body' in options ? options.body : example,
  );
}

/** Fills in the parameters of a path template. */
export const pathOf = (template: string, ids: Partial<Ids> = {}): string =>
  template.replace(/\{(\w+)\}/g, (_, name: keyof Ids) => encodeURIComponent({ ...own, ...ids }[name]));

/** Returns the path parameter that identifies a record other than the organization. */
export const recordParameter = (operation: OperationId): Exclude<keyof Ids, 'organization'> | undefined => {
  const [, name] = /\{(project|board|ticket|document)\}/.exec(operations[operation].path) ?? [];
  return name as Exclude<keyof Ids, 'organization'> | undefined;
};

/** The operations whose path identifies a record other than the organization. */
export const onRecords = everyOperation.filter((id) => recordParameter(id));

/** The operations whose request has a body. */
export const withBody = everyOperation.filter((id) => Object.keys(operations[id].body).length > 0);

/** The operations whose body has required fields. */
export const withRequired = withBody.filter((id) =>
  Object.values(operations[id].body).some(({ required }) => required),
);
