import { type Project, Worktrack } from 'worktrack';
import type { World } from 'worktrack/mock-server';

/**
 * Creates a client for your deployment if `WORKTRACK_BASE_URL` is set, along with `WORKTRACK_TOKEN` and
 * `WORKTRACK_ORGANIZATION`. Otherwise, creates a client for a mock server in this process.
 */
export async function connect(): Promise<{ client: Worktrack; place: string }> {
  const deployment = globalThis.process?.env.WORKTRACK_BASE_URL;
  if (deployment) return { client: new Worktrack(), place: deployment };

  const { createMockServer } = await import('worktrack/mock-server');
  const mock = createMockServer({ now: new Date().toISOString(), world: acme });
  return {
    client: new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch }),
    place: 'an in-memory mock server',
  };
}

/** Creates an example's project. If an earlier run was interrupted, first deletes the project it left behind. */
export async function createProject(client: Worktrack): Promise<Project> {
  for (const { id, description } of await client.projects.list()) {
    if (description === mark) await deleteProject(client, id);
  }
  return client.projects.create({ name: 'Apollo', key: 'APO', description: mark });
}

/** Deletes a project and its documents. */
export async function deleteProject(client: Worktrack, project: string): Promise<void> {
  const documents = await client.documents.list({ project_id: project }).toArray({ limit: 100 });
  for (const { id } of documents) await client.documents.delete(id);
  await client.projects.delete(project);
}

/** Marks projects that an example may delete. */
const mark = 'Created by an example of worktrack, which deletes it when it runs again.';

/** The seed data for the mock server. */
export const acme = {
  organizations: [
    {
      id: 'org_acme',
      name: 'Acme',
      users: [
        { id: 'usr_ada', name: 'Ada', email: 'ada@acme.example', role: 'owner' },
        { id: 'usr_grace', name: 'Grace', email: 'grace@acme.example', role: 'admin' },
      ],
      credentials: [{ token: 'wt_example', name: 'Launch bot', scopes: ['*'] }],
    },
  ],
} satisfies World;
