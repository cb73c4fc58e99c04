import { Worktrack } from 'worktrack';
import type { World } from 'worktrack/mock-server';

/**
 * A client for the examples: of the deployment that the environment names
 * (`WORKTRACK_BASE_URL`, `WORKTRACK_TOKEN`, `WORKTRACK_ORGANIZATION`), else of a
 * reference server in this very process, with a small organization in it.
 */
export async function connect(): Promise<{ client: Worktrack; place: string }> {
  const deployment = globalThis.process?.env.WORKTRACK_BASE_URL;
  if (deployment) return { client: new Worktrack(), place: deployment };

  const { createMockServer } = await import('worktrack/mock-server');
  const mock = createMockServer({ now: new Date().toISOString(), world: acme });
  return {
    client: new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch }),
    place: 'the reference server, in memory',
  };
}

/** The small organization in it. */
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
