import { createMockServer, type MockServer, type MockServerOptions, type World } from 'worktrack/mock-server';

/** A project with two boards (the second is full), and a second organization. */
export const world: World = {
  organizations: [
    {
      id: 'org_acme',
      name: 'Acme',
      users: [
        { id: 'usr_ada', name: 'Ada', role: 'owner' },
        { id: 'usr_bob', name: 'Bob' },
      ],
      credentials: [
        { id: 'crd_ci', token: 'wt_ci', name: 'CI bot', scopes: ['*'] },
        { id: 'crd_read', token: 'wt_read', name: 'Reader', scopes: ['tickets:read'] },
      ],
      projects: [
        {
          id: 'prj_apollo',
          name: 'Apollo',
          boards: [
            { id: 'brd_todo', name: 'To do', tickets: [{ id: 'tkt_1', title: 'Launch' }] },
            { id: 'brd_doing', name: 'Doing', wip_limit: 1, tickets: [{ id: 'tkt_2', title: 'Build' }] },
          ],
        },
      ],
    },
    { id: 'org_other', name: 'Other', projects: [{ id: 'prj_other', name: 'Elsewhere' }] },
  ],
};

export const serverOf = (options: MockServerOptions = {}): MockServer =>
  createMockServer({ world, ...options });

/** Sends a request and reads the complete response. */
export async function send(mock: MockServer, method: string, path: string, body?: unknown, token = 'wt_ci') {
  const response = await mock.fetch(`http://worktrack.test/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const headers = Object.fromEntries(response.headers);
  return { status: response.status, headers, text, json: text && JSON.parse(text) };
}
