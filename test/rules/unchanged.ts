import { expect } from 'vitest';
import { type Answer, type Json, wire } from './support.js';
import { type Mock, serve } from './world.js';

/**
 * Expects that what happened to a server left no trace: everything that can be read is as on its
 * untouched twin, and the records created next get the same ids, numbers and positions.
 * Creates records on both, so it comes last in a test.
 *
 * @param twin by default a server of the same world that never saw a request
 */
export async function expectUnchanged(mock: Mock, twin?: Mock): Promise<void> {
  untouched ??= observe(serve());
  expect(await observe(mock)).toEqual(await (twin ? observe(twin) : untouched));
}

// The same for every test: a server does the same each time, so one is enough to know it.
let untouched: ReturnType<typeof observe> | undefined;

const observe = async (mock: Mock) => ({ seen: await readable(mock), next: await nextRecords(mock) });

/** Everything that the credentials of both organizations can read. */
export async function readable(mock: Mock): Promise<Record<string, Json>> {
  const seen: Record<string, Json> = {};
  for (const [organization, token] of organizations) {
    const api = wire(mock, token);
    const read = async (path: string) => {
      const answer = await api.get(path);
      expect({ path, status: answer.status }).toEqual({ path, status: 200 });
      seen[path] = answer.body;
      return answer.data;
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

/** Creates one of each record that can be created, and gives the bodies of the answers. */
async function nextRecords(mock: Mock): Promise<Json[]> {
  const answers: Answer[] = [];
  for (const [organization, token] of organizations) {
    const api = wire(mock, token);
    const create = async (path: string, body: object) => {
      const answer = await api.post(path, body);
      expect({ path, status: answer.status }).toEqual({ path, status: 201 });
      answers.push(answer);
      return answer.data.id as string;
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
  return answers.map(({ status, body }) => ({ status, body }));
}
