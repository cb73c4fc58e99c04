import { holds, NotCheckable, same } from '../outcome.js';
import { choice, rule, type Scenario } from '../scenario.js';

/** The organization, its projects, and what can be read of a project. */
export const projectScenarios: Scenario[] = [
  rule('organization.get', 'gives the organization (200)', async (lab) => {
    same(lab.succeeds(await lab.call('organization.get'), 200).id, lab.organization, 'id');
  }),
  rule('projects.get', 'gives the project (200)', async (lab) => {
    const { id } = await lab.project();
    same(lab.succeeds(await lab.call('projects.get', [id]), 200).id, id, 'id');
  }),
  rule('projects.list', 'gives the projects (200)', async (lab) => {
    const listed = lab.succeeds(await lab.call('projects.list'), 200);
    holds(Array.isArray(listed), 'the answer holds no list');
  }),
  rule('projects.create', 'makes a project that can be read and is listed (201)', async (lab) => {
    const project = await lab.project({ name: 'Conformance Apollo', key: 'APO', description: 'Tried' });
    const read = lab.succeeds(await lab.call('projects.get', [project.id]), 200);
    same([read.name, read.key, read.description], ['Conformance Apollo', 'APO', 'Tried'], 'the project');
    const listed = lab.succeeds(await lab.call('projects.list'), 200);
    holds(
      listed.some((other: { id: string }) => other.id === project.id),
      'projects.list lacks the project',
    );
  }),
  rule(
    'projects.update',
    'changes name and description, and null clears a description (200)',
    async (lab) => {
      const project = await lab.project({ description: 'Before' });
      const body = { name: 'Conformance renamed', description: null };
      const changed = lab.succeeds(await lab.call('projects.update', [project.id], { body }), 200);
      same([changed.name, changed.description], ['Conformance renamed', null], 'the project');
    },
  ),
  rule('projects.update', 'archives and unarchives (200)', async (lab) => {
    const project = await lab.project();
    const archive = async (archived: boolean) =>
      lab.succeeds(await lab.call('projects.update', [project.id], { body: { archived } }), 200).archived_at;
    const archived = await archive(true);
    if (archived === undefined) throw new NotCheckable('projects carry no archived_at');
    holds(typeof archived === 'string', 'archived_at is no date while archived');
    same(await archive(false), null, 'archived_at');
  }),
  choice('projects.update', 'does not change a key', async (lab) => {
    const project = await lab.project();
    const changed = lab.succeeds(
      await lab.call('projects.update', [project.id], { body: { key: 'OTHER' } }),
      200,
    );
    same(changed.key, project.key, 'key');
  }),
  rule('projects.delete', 'deletes softly (204)', async (lab) => {
    const project = await lab.project();
    lab.succeeds(await lab.call('projects.delete', [project.id]), 204);
    const listed = lab.succeeds(await lab.call('projects.list'), 200);
    holds(
      !listed.some((other: { id: string }) => other.id === project.id),
      'projects.list still has the project',
    );
  }),
  choice('projects.delete', 'takes boards and tickets along (404)', async (lab) => {
    const {
      project,
      first,
      tickets: [ticket],
    } = await lab.stage();
    lab.succeeds(await lab.call('projects.delete', [project.id]), 204);
    lab.refuses(await lab.call('projects.get', [project.id]), 'not_found');
    lab.refuses(await lab.call('boards.update', [first.id], { body: {} }), 'not_found');
    lab.refuses(await lab.call('tickets.get', [ticket.id]), 'not_found');
  }),
  rule(
    'projects.members.list',
    "gives the organization's owners and admins for a project without members (200)",
    async (lab) => {
      const members = lab.succeeds(await lab.call('projects.members.list', [(await lab.project()).id]), 200);
      holds(members.length > 0, 'nobody is listed');
      const roles = members.map(({ role }: { role: string }) => role);
      holds(
        roles.every((role: string) => role === 'owner' || role === 'admin'),
        `roles are ${roles.join(', ')}`,
      );
    },
  ),
  rule('projects.labels.list', 'gives the labels, none in a new project (200)', async (lab) => {
    same(lab.succeeds(await lab.call('projects.labels.list', [(await lab.project()).id]), 200), [], 'labels');
  }),
  rule(
    'projects.tags.list',
    'gives only tags that a ticket carries: none in a new project (200)',
    async (lab) => {
      const { project } = await lab.stage();
      same(lab.succeeds(await lab.call('projects.tags.list', [project.id]), 200), [], 'tags');
    },
  ),
  rule('projects.analytics.get', 'answers (200)', async (lab) => {
    lab.succeeds(await lab.call('projects.analytics.get', [(await lab.project()).id]), 200);
  }),
  choice('projects.analytics.get', 'counts tickets: all, done, open, overdue, by board', async (lab) => {
    const { project, first, second } = await lab.stage(2, { is_done: true });
    await lab.ticket(project, second);
    await lab.ticket(project, first, { due_at: '2001-01-01T00:00:00Z' });
    const figures = lab.succeeds(await lab.call('projects.analytics.get', [project.id]), 200);
    const { total, done, open, overdue, completion_percentage, by_board } = figures;
    same(
      { total, done, open, overdue, completion_percentage },
      { total: 4, done: 1, open: 3, overdue: 1, completion_percentage: 25 },
      'figures',
    );
    same(
      by_board.map(({ count }: { count: number }) => count),
      [3, 1],
      'by_board',
    );
  }),
];
