import type { World } from '../../../mock-server/index.js';

/** Sample seed data for trying out an agent. */
export const sampleWorld: World = {
  organizations: [
    {
      id: 'org_acme',
      name: 'Acme',
      users: [
        { id: 'usr_ada', name: 'Ada', role: 'owner' },
        { id: 'usr_grace', name: 'Grace', role: 'admin' },
        { id: 'usr_bob', name: 'Bob' },
      ],
      credentials: [{ token: 'wt_mock', name: 'Agent' }],
      projects: [
        {
          id: 'prj_apollo',
          name: 'Apollo',
          key: 'APO',
          description: 'The launch',
          members: ['usr_bob'],
          labels: [{ id: 'lbl_bug', name: 'bug' }],
          boards: [
            {
              id: 'brd_todo',
              name: 'To do',
              tickets: [
                { id: 'tkt_manual', title: 'Crew manual', assignees: ['usr_bob'] },
                { id: 'tkt_radio', title: 'Radio check', priority: 'high' },
                { id: 'tkt_dinner', title: 'Launch-day dinner', priority: 'low' },
              ],
            },
            {
              id: 'brd_doing',
              name: 'Doing',
              wip_limit: 2,
              tickets: [
                {
                  id: 'tkt_guidance',
                  title: 'Guidance program',
                  description_html: '<p>Check the restart logic of the <b>landing</b> phase.</p>',
                  priority: 'critical',
                  assignees: ['usr_ada'],
                  labels: ['bug'],
                },
              ],
            },
            { id: 'brd_done', name: 'Done', is_done: true },
          ],
        },
      ],
      documents: [
        {
          id: 'doc_runbook',
          title: 'Launch runbook',
          project: 'Apollo',
          content_html: '<h1>T minus 60</h1><p>Fuel, doors, crew.</p>',
          tags: ['launch'],
        },
      ],
    },
  ],
};
