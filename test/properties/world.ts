import type { World } from 'worktrack/mock-server';

export const now = '2026-01-01T00:00:00.000Z';

/**
 * Two organizations, the first with two projects and three credentials. The number of records is deliberately
 * small, so that random requests often affect the same records, and boards fill up quickly.
 */
export const world: World = {
  organizations: [
    {
      id: 'org_acme',
      name: 'Acme',
      users: [
        { id: 'usr_ada', name: 'Ada', email: 'ada@acme.test', role: 'owner' },
        { id: 'usr_bob', name: 'Bob', email: 'bob@acme.test', role: 'member' },
        { id: 'usr_cat', name: 'Cat', email: 'cat@acme.test', role: 'member' },
      ],
      credentials: [
        { id: 'crd_all', token: 'all', name: 'Everything', scopes: ['*'] },
        {
          id: 'crd_read',
          token: 'read',
          name: 'Reader',
          scopes: ['projects:read', 'boards:read', 'tickets:read'],
        },
        { id: 'crd_write', token: 'write', name: 'Writer', scopes: ['tickets:write', 'documents:write'] },
      ],
      tags: [{ id: 'tag_ops', name: 'ops' }],
      projects: [
        {
          id: 'prj_1',
          name: 'One',
          key: 'ONE',
          members: ['usr_bob'],
          labels: [{ id: 'lbl_1', name: 'bug' }],
          tags: [{ id: 'tag_infra', name: 'infra' }],
          boards: [
            {
              id: 'brd_1',
              name: 'To do',
              slug: 'to-do',
              wip_limit: 3,
              tickets: [
                { id: 'tkt_1', title: 'Alpha', tags: ['infra'] },
                { id: 'tkt_2', title: 'Beta' },
              ],
            },
            { id: 'brd_2', name: 'Done', slug: 'done', is_done: true, wip_limit: 1 },
          ],
        },
        {
          id: 'prj_2',
          name: 'Two',
          key: 'TWO',
          labels: [{ id: 'lbl_2', name: 'bug' }],
          boards: [{ id: 'brd_3', name: 'To do', slug: 'to-do', tickets: [{ id: 'tkt_3', title: 'Gamma' }] }],
        },
      ],
      documents: [{ id: 'doc_1', title: 'Alpha', project: 'prj_1', tags: ['ops'] }],
    },
    {
      id: 'org_other',
      name: 'Other',
      users: [{ id: 'usr_eve', name: 'Eve', email: 'eve@other.test', role: 'owner' }],
      credentials: [{ id: 'crd_other', token: 'other', name: 'Other bot', scopes: ['*'] }],
      projects: [
        {
          id: 'prj_3',
          name: 'Secret',
          key: 'SEC',
          labels: [{ id: 'lbl_3', name: 'bug' }],
          boards: [{ id: 'brd_4', name: 'To do', slug: 'to-do', tickets: [{ id: 'tkt_4', title: 'Alpha' }] }],
        },
      ],
      documents: [{ id: 'doc_2', title: 'Secret' }],
    },
  ],
};
