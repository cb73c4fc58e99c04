import { expect } from 'vitest';
import { type ApiResponse, type Json, rawApi } from './requests.js';
import { type Mock, serve } from './world.js';

/**
 * Asserts that rejected requests left a server unchanged, by comparing it with a server that never got them.
 * All readable data must be equal, and new records must get the same IDs, numbers, and positions. Creates
 * records on both servers, so call this function last in a test.
 *
 * @param reference - Defaults to a new server with the same seed data.
 */
export async function expectUnchanged(mock: Mock, reference?: Mock): Promise<void> {
  untouched ??= observe(serve());
  expect(await observe(mock)).toEqual(await (reference ? observe(reference) : untouched));
}

// Every new server has the same state, so all tests can share the state of the default server.
let untouched: ReturnType<typeof observe> | undefined;

const observe = async (mock: Mock) => ({ seen: await readable(mock), next: await nextRecords(mock) });

/** Reads all data of both organizations through the API. */
export async function readable(mock: Mock): Promise<Record<string, Json>> {
  const seen: Record<string, Json> = {};
  for (const [organization, token] of organizations) {
    const api = rawApi(mock, token);
    const read = async (path: string) => {
      const response = await api.get(path);
      expect({ path, status: response.status }).toEqual({ path, status: 200 });
      seen[path] = response.body;
      return response.data;
    };
    await read(`/organizations/${organization}`);
    await read(`/organizations/${organization}/documents?per_page=200`);
    for (const { id } of await read(`/organizations/${organization}/projects`)) {
      const parts = ['', '/members', '/labels', '/boards', '/tickets?per_page=200', '/analytics', '/tags'];
      for (const part of parts) await read(`/projects/${id}${part}`);
    }
  }
  return seen;
}

const organizations = [
  ['org_acme', 'wt_acme'],
  ['org_other', 'wt_other'],
] as const;

/** Creates one record of each type and returns the responses. */
async function nextRecords(mock: Mock): Promise<Json[]> {
  const responses: ApiResponse[] = [];
  for (const [organization, token] of organizations) {
    const api = rawApi(mock, token);
    const create = async (path: string, body: object) => {
      const response = await api.post(path, body);
      expect({ path, status: response.status }).toEqual({ path, status: 201 });
      responses.push(response);
      return response.data.id as string;
    };
    const { data: projects } = await api.get(`/organizations/${organization}/projects`);
    const added = await create(`/organizations/${organization}/projects`, { name: 'Next', key: 'NXT' });
    for (const id of [...projects.map((project: Json) => project.id), added]) {
      const board_id = await create(`/projects/${id}/boards`, { name: 'Next' });
      const ticket = await create(`/projects/${id}/tickets`, { board_id, title: 'Next' });
      await create(`/tickets/${ticket}/comments`, { body_html: 'Next' });
    }
    const document = await create(`/organizations/${organization}/documents`, {
      title: 'Next',
      tag_names: ['next'],
    });
    await create(`/documents/${document}/comments`, { body_html: 'Next' });
    const user = organization === 'org_acme' ? 'usr_ada' : 'usr_eve';
    await create(`/organizations/${organization}/notifications`, {
      user_ids: [user],
      title: 'Next',
      body: 'Next',
    });
  }
  return responses.map(({ status, body }) => ({ status, body }));
}
