import { expect } from 'vitest';
import { type ErrorCode, errorCodes } from 'worktrack/contract';
import { type RecordName, recordFields } from '../support/operations.js';
import { type ApiResponse, type Json, rawApi } from './requests.js';
import type { Mock } from './world.js';

/**
 * Expects a JSON error response with this code, its status, and a message.
 *
 * @param field - A field that `errors` must contain.
 * @param what - The name of the case in the failure message.
 */
export function expectError(response: ApiResponse, code: ErrorCode, field?: string, what?: string): void {
  const { status, body, headers } = response;
  expect(headers.get('content-type'), what).toMatch(/^application\/json\b/);
  expect({ status, code: body?.code }, what).toEqual({ status: errorCodes[code], code });
  expect(body.message, what).toMatch(/\S/);
  const known = ['message', 'code', ...(body.errors ? ['errors'] : [])];
  expect(Object.keys(body).sort(), what).toEqual(known.sort());
  for (const messages of Object.values<Json>(body.errors ?? {})) {
    expect(messages, what).toEqual(expect.arrayContaining([expect.stringMatching(/\S/)]));
  }
  if (field !== undefined) expect(Object.keys(body.errors ?? {}), what).toContain(field);
}

/** The types of nested records, by field. */
const nested: Partial<Record<string, RecordName>> = {
  creator: 'actor',
  author: 'actor',
  assignees: 'reference',
  tags: 'reference',
  editors: 'reference',
  labels: 'label',
  by_board: 'boardAnalytics',
};

/** Asserts that a record and its nested records have exactly the specified fields. */
export function expectRecord(record: Json, name: RecordName, what: string = name): void {
  expect(Object.keys(record).sort(), what).toEqual(recordFields[name]);
  for (const [field, value] of Object.entries<Json>(record)) {
    const inner = nested[field];
    if (!inner || value === null) continue;
    for (const item of Array.isArray(value) ? value : [value]) expectRecord(item, inner, `${what}.${field}`);
  }
}

/** Returns the IDs of a board's tickets in order. Asserts that positions start at 0 and have no gaps. */
export async function ticketsOn(mock: Mock, board: string, project = 'prj_apollo'): Promise<string[]> {
  const { data } = await rawApi(mock).get(`/projects/${project}/tickets?board_id=${board}&per_page=200`);
  expect(data.data.map(({ position }: Json) => position)).toEqual([...data.data.keys()]);
  return data.data.map(({ id }: Json) => id);
}

/** Returns the IDs of a project's boards in order. Asserts that positions start at 0 and have no gaps. */
export async function boardsOf(mock: Mock, project = 'prj_apollo'): Promise<string[]> {
  const { data } = await rawApi(mock).get(`/projects/${project}/boards`);
  expect(data.map(({ position }: Json) => position)).toEqual([...data.keys()]);
  return data.map(({ id }: Json) => id);
}
