import type { World } from '../../../mock-server/index.js';

/** The seed data for the operation examples, the snippets in the guides, and the playground. */
// #region apollo
export const apolloWorld: World = {
  organizations: [
    {
      id: 'org_acme',
      name: 'Acme',
      users: [
        { id: 'usr_ada', name: 'Ada', email: 'ada@acme.example', role: 'owner' },
        { id: 'usr_grace', name: 'Grace', email: 'grace@acme.example', role: 'admin' },
        { id: 'usr_bob', name: 'Bob', email: 'bob@acme.example', role: 'member' },
      ],
      credentials: [{ id: 'crd_bot', token: 'wt_example', name: 'Launch bot', scopes: ['*'] }],
      projects: [
        {
          id: 'prj_apollo',
          name: 'Apollo',
          key: 'APO',
          description: 'The launch',
          members: ['usr_bob'],
          labels: [
            { id: 'lbl_bug', name: 'bug', color: '#c2410c' },
            { id: 'lbl_crew', name: 'crew', color: '#0f766e' },
          ],
          boards: [
            {
              id: 'brd_todo',
              name: 'To do',
              tickets: [
                { id: 'tkt_manual', title: 'Crew manual', labels: ['lbl_crew'], tags: ['paper'] },
                { id: 'tkt_radio', title: 'Radio check', priority: 'high', tags: ['ground', 'crew'] },
                {
                  id: 'tkt_dinner',
                  title: 'Launch-day dinner',
                  priority: 'low',
                  due_at: '2026-01-04T18:00:00Z',
                },
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
                  description_html: '<p>Restart logic of the <strong>landing</strong> phase.</p>',
                  priority: 'critical',
                  assignees: ['usr_ada'],
                  labels: ['lbl_bug'],
                  tags: ['ground'],
                },
              ],
            },
            { id: 'brd_review', name: 'Review', wip_limit: 1 },
            {
              id: 'brd_done',
              name: 'Done',
              is_done: true,
              tickets: [{ id: 'tkt_suits', title: 'Space suits', assignees: ['usr_bob'] }],
            },
          ],
        },
      ],
      documents: [
        {
          id: 'doc_runbook',
          title: 'Launch runbook',
          caption: 'Who does what, from T minus 60',
          content_html: '<h1>T minus 60</h1><p>Fuel, doors, crew.</p>',
          project: 'prj_apollo',
          status: 'published',
          author: 'usr_ada',
          tags: ['launch', 'ops'],
        },
        { id: 'doc_menu', title: 'Dinner menu', author: 'usr_bob', tags: ['launch'] },
      ],
    },
  ],
};
// #endregion apollo

/** The mock server's start time. It's fixed so that all pages show the same times. */
export const apolloNow = '2026-01-05T09:00:00Z';
