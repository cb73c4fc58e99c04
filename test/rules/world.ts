import {
  createMockServer,
  type MockServer,
  type OrganizationSeed,
  type ProjectSeed,
  type World,
} from 'worktrack/mock-server';
import { checkedFetch } from '../openapi/validator.js';
import { everyScope } from '../support/operations.js';

export type Mock = MockServer;

/** The initial time of every server. Time advances only if a test advances it. */
export const now = '2026-01-01T00:00:00.000Z';

/**
 * Creates a server with two organizations. `org_acme` has the projects `prj_apollo` and `prj_zeus`.
 * `prj_apollo` has three tickets on `brd_todo`, one on `brd_doing` (with a WIP limit of two), and one on the
 * done board `brd_done`.
 *
 * @param project - Replaces fields of `prj_apollo`.
 * @param organization - Replaces fields of `org_acme`.
 */
export function serve(
  project: Partial<ProjectSeed> = {},
  organization: Partial<OrganizationSeed> = {},
): Mock {
  const mock = createMockServer({
    now,
    world: {
      organizations: [{ ...acme, projects: [{ ...apollo, ...project }, zeus], ...organization }, other],
    },
  });
  // `checkedFetch` also validates the traffic against the OpenAPI document.
  return Object.assign(mock, { fetch: checkedFetch(mock.fetch) });
}

const apollo: ProjectSeed = {
  id: 'prj_apollo',
  name: 'Apollo',
  key: 'APO',
  members: ['usr_bob'],
  labels: [
    { id: 'lbl_bug', name: 'bug', color: '#ff0000' },
    { id: 'lbl_idea', name: 'idea' },
  ],
  boards: [
    {
      id: 'brd_todo',
      name: 'To do',
      tickets: [
        { id: 'tkt_a', title: 'Alpha', assignees: ['usr_bob'], labels: ['lbl_bug'], tags: ['infra'] },
        { id: 'tkt_b', title: 'Beta' },
        { id: 'tkt_c', title: 'Gamma' },
      ],
    },
    { id: 'brd_doing', name: 'Doing', wip_limit: 2, tickets: [{ id: 'tkt_d', title: 'Delta' }] },
    { id: 'brd_done', name: 'Done', is_done: true, tickets: [{ id: 'tkt_e', title: 'Epsilon' }] },
  ],
};

const zeus: ProjectSeed = {
  id: 'prj_zeus',
  name: 'Zeus',
  key: 'ZEU',
  labels: [{ id: 'lbl_zeus', name: 'bug' }],
  boards: [{ id: 'brd_zeus', name: 'To do', tickets: [{ id: 'tkt_zeus', title: 'Bolt' }] }],
};

const acme: OrganizationSeed = {
  id: 'org_acme',
  name: 'Acme',
  users: [
    { id: 'usr_ada', name: 'Ada', email: 'ada@acme.test', role: 'owner' },
    { id: 'usr_amy', name: 'Amy', email: 'amy@acme.test', role: 'admin' },
    { id: 'usr_bob', name: 'Bob', email: 'bob@acme.test', role: 'member' },
    { id: 'usr_cat', name: 'Cat', email: 'cat@acme.test', role: 'member' },
  ],
  credentials: [
    { id: 'crd_ci', token: 'wt_acme', name: 'CI bot', scopes: ['*'] },
    ...everyScope.map((scope) => ({ token: `wt_only_${scope}`, name: `only ${scope}`, scopes: [scope] })),
    ...everyScope.map((scope) => ({
      token: `wt_without_${scope}`,
      name: `all but ${scope}`,
      scopes: everyScope.filter((candidate) => candidate !== scope),
    })),
  ],
  documents: [
    { id: 'doc_guide', title: 'Guide', project: 'prj_apollo', tags: ['ops'], editors: ['usr_cat'] },
    { id: 'doc_loose', title: 'Loose leaf' },
  ],
};

const other: OrganizationSeed = {
  id: 'org_other',
  name: 'Other',
  users: [{ id: 'usr_eve', name: 'Eve', email: 'eve@other.test', role: 'owner' }],
  credentials: [{ id: 'crd_other', token: 'wt_other', name: 'Other bot', scopes: ['*'] }],
  projects: [
    {
      id: 'prj_other',
      name: 'Secret',
      key: 'SEC',
      labels: [{ id: 'lbl_other', name: 'bug' }],
      boards: [{ id: 'brd_other', name: 'To do', tickets: [{ id: 'tkt_other', title: 'Plan' }] }],
    },
  ],
  documents: [{ id: 'doc_other', title: 'Plans' }],
};

/** The seed data that `serve()` uses, for tests that create their own server. */
export const world: World = { organizations: [{ ...acme, projects: [apollo, zeus] }, other] };
