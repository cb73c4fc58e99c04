import { Worktrack } from 'worktrack';
import type { World } from 'worktrack/mock-server';

/**
 * Creates a client for your deployment if `WORKTRACK_BASE_URL`, `WORKTRACK_TOKEN`, and
 * `WORKTRACK_ORGANIZATION` are set. Otherwise, creates a client for a mock server in this process.
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
