import { expectArchivable, expectEqual, expectTrue } from '../expectations.js';
import { optional, rule, type Scenario } from '../scenario.js';

/** Rules about the organization, its projects, and their members, labels, tags, and analytics. */
export const projectScenarios: Scenario[] = [
  rule('organization.get', 'returns the organization (200)', async (harness) => {
    expectEqual((await harness.expectSuccess('organization.get')).id, harness.options.organization, 'id');
  }),
  rule('projects.get', 'returns the project (200)', async (harness) => {
    const { id } = await harness.shared.project();
    expectEqual((await harness.expectSuccess('projects.get', [id])).id, id, 'id');
  }),
  rule('projects.list', 'returns the projects (200)', async (harness) => {
    const listed = await harness.expectSuccess('projects.list');
    expectTrue(Array.isArray(listed), "the response doesn't contain a list");
  }),
  rule('projects.create', 'creates a project that can be read and listed (201)', async (harness) => {
    const [name, key] = [`${harness.title} Apollo`, `A${harness.key}`];
    const project = await harness.createProject({ name, key, description: 'Tried' });
    const read = await harness.expectSuccess('projects.get', [project.id]);
    expectEqual([read.name, read.key, read.description], [name, key, 'Tried'], 'the project');
    const listed = await harness.expectSuccess('projects.list');
    expectTrue(
      listed.some((other: { id: string }) => other.id === project.id),
      "projects.list doesn't contain the project",
    );
  }),
  rule('projects.update', 'updates the name and clears the description (200)', async (harness) => {
    const project = await harness.createProject({ description: 'Before' });
    const body = { name: 'Conformance renamed', description: null };
    const changed = await harness.expectSuccess('projects.update', [project.id], { body });
    expectEqual([changed.name, changed.description], ['Conformance renamed', null], 'the project');
  }),
  rule('projects.update', 'archives and unarchives a project (200)', async (harness) => {
    const project = await harness.createProject();
    await expectArchivable('project', (body) =>
      harness.expectSuccess('projects.update', [project.id], { body }),
    );
  }),
  optional('projects.create', 'returns a code and the invalid fields in error bodies', async (harness) => {
    const response = await harness.createWithoutName();
    harness.expectStatus(response, 422);
    const missing = harness.missingInError(response).map((name) => `no "${name}"`);
    expectTrue(missing.length === 0, `the error body has ${missing.join(' and ')}`);
  }),
  optional('projects.update', 'leaves the key unchanged', async (harness) => {
    const project = await harness.createProject();
    const changed = await harness.expectSuccess('projects.update', [project.id], { body: { key: 'OTHER' } });
    expectEqual(changed.key, project.key, 'key');
  }),
  rule('projects.delete', 'soft-deletes the project (204)', async (harness) => {
    const project = await harness.createProject();
    await harness.expectSuccess('projects.delete', [project.id]);
    const listed = await harness.expectSuccess('projects.list');
    expectTrue(
      !listed.some((other: { id: string }) => other.id === project.id),
      'projects.list still contains the project',
    );
  }),
  optional('projects.delete', "also deletes the project's boards and tickets (404)", async (harness) => {
    const { project, first, ticket } = await harness.createBoards();
    await harness.expectSuccess('projects.delete', [project.id]);
    await harness.expectError('projects.get', [project.id], {}, 'not_found');
    await harness.expectError('boards.update', [first.id], { body: {} }, 'not_found');
    await harness.expectError('tickets.get', [ticket.id], {}, 'not_found');
  }),
  rule('projects.members.list', 'returns the members (200)', async (harness) => {
    const { id } = await harness.shared.project();
    const members = await harness.expectSuccess('projects.members.list', [id]);
    expectTrue(members.length > 0, "the list is empty, but should contain at least the organization's owner");
  }),
  optional(
    'projects.members.list',
    "returns only the organization's owners and admins for a project without members",
    async (harness) => {
      const { id } = await harness.shared.project();
      const members = await harness.expectSuccess('projects.members.list', [id]);
      const roles: string[] = members.map(({ role }: { role: string }) => role);
      expectTrue(
        roles.every((role) => role === 'owner' || role === 'admin'),
        `expected only owners and admins, got ${roles.join(', ')}`,
      );
    },
  ),
  rule('projects.labels.list', 'returns the labels (200)', async (harness) => {
    const { id } = await harness.shared.project();
    const labels = await harness.expectSuccess('projects.labels.list', [id]);
    expectTrue(Array.isArray(labels), "the response doesn't contain a list");
  }),
  optional('projects.labels.list', 'returns no labels for a new project', async (harness) => {
    const { id } = await harness.createProject();
    expectEqual(await harness.expectSuccess('projects.labels.list', [id]), [], 'labels');
  }),
  rule('projects.tags.list', 'returns no tags if none of the tickets have tags (200)', async (harness) => {
    const { project } = await harness.createBoards();
    expectEqual(await harness.expectSuccess('projects.tags.list', [project.id]), [], 'tags');
  }),
  rule('projects.analytics.get', 'returns the analytics (200)', async (harness) => {
    await harness.expectSuccess('projects.analytics.get', [(await harness.shared.project()).id]);
  }),
  optional(
    'projects.analytics.get',
    'counts total, done, open, and overdue tickets, and the tickets per board',
    async (harness) => {
      const { project, first, second } = await harness.createBoards(2, { is_done: true });
      await harness.createTicket(project, second);
      await harness.createTicket(project, first, { due_at: '2001-01-01T00:00:00Z' });
      const analytics = await harness.expectSuccess('projects.analytics.get', [project.id]);
      const { total, done, open, overdue, completion_percentage, by_board } = analytics;
      expectEqual(
        { total, done, open, overdue, completion_percentage },
        { total: 4, done: 1, open: 3, overdue: 1, completion_percentage: 25 },
        'analytics',
      );
      expectEqual(
        by_board.map(({ count }: { count: number }) => count),
        [3, 1],
        'by_board',
      );
    },
  ),
];
