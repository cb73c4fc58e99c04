import { expect } from 'vitest';
import type { ErrorCode, Method } from 'worktrack/contract';
import { errorCodes } from 'worktrack/contract';
import type { Mock } from './world.js';

/** What came over the wire is looked at as it is: no type of the contract helps, or hides, anything. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Answer {
  status: number;
  headers: Headers;
  /** The parsed body; undefined where it is empty. */
  body: Json;
  /** What the envelope holds: the record, the list, or the page. */
  data: Json;
}

export interface Wire {
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown): Promise<Answer>;
  put(path: string, body?: unknown): Promise<Answer>;
  patch(path: string, body?: unknown): Promise<Answer>;
  delete(path: string, body?: unknown): Promise<Answer>;
}

export const origin = 'http://worktrack.test';

/**
 * Raw requests to a server, below `/api/v1`. A text goes out as it is, anything else as JSON.
 *
 * @param token null sends no credential
 */
export function wire(mock: Mock, token: string | null = 'wt_acme'): Wire {
  const send: Wire['send'] = async (method, path, body, headers) => {
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
  return {
    send,
    get: by('GET'),
    post: by('POST'),
    put: by('PUT'),
    patch: by('PATCH'),
    delete: by('DELETE'),
  };
}

/** Expects a refusal: its status, its code, a message, and the field it names where one is given. */
export function expectRefusal(answer: Answer, code: ErrorCode, field?: string): void {
  expect({ status: answer.status, code: answer.body?.code }).toEqual({ status: errorCodes[code], code });
  expect(answer.body.message).toMatch(/\S/);
  const known = ['message', 'code', ...(answer.body.errors ? ['errors'] : [])];
  expect(Object.keys(answer.body).sort()).toEqual(known.sort());
  for (const messages of Object.values<Json>(answer.body.errors ?? {})) {
    expect(messages).toEqual(expect.arrayContaining([expect.stringMatching(/\S/)]));
  }
  if (field !== undefined) expect(Object.keys(answer.body.errors ?? {})).toContain(field);
}

/** The ids of a board's tickets, in order, with a check that their positions are 0 to n - 1. */
export async function ticketsOn(mock: Mock, board: string, project = 'prj_apollo'): Promise<string[]> {
  const { data } = await wire(mock).get(`/projects/${project}/tickets?board_id=${board}&per_page=200`);
  expect(data.data.map(({ position }: Json) => position)).toEqual([...data.data.keys()]);
  return data.data.map(({ id }: Json) => id);
}

/** The ids of a project's boards, in order, with a check that their positions are 0 to n - 1. */
export async function boardsOf(mock: Mock, project = 'prj_apollo'): Promise<string[]> {
  const { data } = await wire(mock).get(`/projects/${project}/boards`);
  expect(data.map(({ position }: Json) => position)).toEqual([...data.keys()]);
  return data.map(({ id }: Json) => id);
}
