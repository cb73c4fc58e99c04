import { expectEqual, expectTrue } from '../expectations.js';
import { optional, rule, type Scenario } from '../scenario.js';

/** Rules about the organization, its projects, and their members, labels, tags, and analytics. */
export const projectScenarios: Scenario[] = [
  rule('organization.get', 'returns the organization (200)', async (harness) => {
    expectEqual(
      harness.expectSuccess(await harness.call('organization.get'), 200).id,
      harness.organization,
      'id',
    );
  }),
  rule('projects.get', 'returns the project (200)', async (harness) => {
    const { id } = await harness.shared.project();
    expectEqual(harness.expectSuccess(await harness.call('projects.get', [id]), 200).id, id, 'id');
  }),
  rule('projects.list', 'returns the projects (200)', async (harness) => {
    const listed = harness.expectSuccess(await harness.call('projects.list'), 200);
    expectTrue(Array.isArray(listed), "the response doesn't contain a list");
  }),
  rule('projects.create', 'creates a project that can be read and listed (201)', async (harness) => {
    const project = await harness.createProject({
      name: 'Conformance Apollo',
      key: 'APO',
      description: 'Tried',
    });
    const read = harness.expectSuccess(await harness.call('projects.get', [project.id]), 200);
    expectEqual(
      [read.name, read.key, read.description],
      ['Conformance Apollo', 'APO', 'Tried'],
      'the project',
    );
    const listed = harness.expectSuccess(await harness.call('projects.list'), 200);
    expectTrue(
      listed.some((other: { id: string }) => other.id === project.id),
      "projects.list doesn't contain the project",
    );
  }),
  rule('projects.update', 'updates the name and clears the description (200)', async (harness) => {
    const project = await harness.createProject({ description: 'Before' });
    const body = { name: 'Conformance renamed', description: null };
    const changed = harness.expectSuccess(await harness.call('projects.update', [project.id], { body }), 200);
    expectEqual([changed.name, changed.description], ['Conformance renamed', null], 'the project');
  }),
  rule('projects.update', 'archives and unarchives a project (200)', async (harness) => {
    const project = await harness.createProject();
    const archive = async (archived: boolean) =>
      harness.expectSuccess(await harness.call('projects.update', [project.id], { body: { archived } }), 200)
        .archived_at;
    expectTrue(
      typeof (await archive(true)) === 'string',
      "the project is archived, but archived_at isn't a date",
    );
    expectEqual(await archive(false), null, 'archived_at');
  }),
  optional('projects.create', 'returns a code and the invalid fields in error bodies', async (harness) => {
    const response = await harness.createWithoutName();
    harness.expectStatus(response, 422);
    const missing = harness.missingInError(response).map((name) => `no "${name}"`);
    expectTrue(missing.length === 0, `the error body has ${missing.join(' and ')}`);
  }),
  optional('projects.update', 'leaves the key unchanged', async (harness) => {
    const project = await harness.createProject();
    const changed = harness.expectSuccess(
      await harness.call('projects.update', [project.id], { body: { key: 'OTHER' } }),
      200,
    );
    expectEqual(changed.key, project.key, 'key');
  }),
  rule('projects.delete', 'soft-deletes the project (204)', async (harness) => {
    const project = await harness.createProject();
    harness.expectSuccess(await harness.call('projects.delete', [project.id]), 204);
    const listed = harness.expectSuccess(await harness.call('projects.list'), 200);
    expectTrue(
      !listed.some((other: { id: string }) => other.id === project.id),
      'projects.list still contains the project',
    );
  }),
  optional('projects.delete', "also deletes the project's boards and tickets (404)", async (harness) => {
    const { project, first, ticket } = await harness.createBoards();
    harness.expectSuccess(await harness.call('projects.delete', [project.id]), 204);
    harness.expectError(await harness.call('projects.get', [project.id]), 'not_found');
    harness.expectError(await harness.call('boards.update', [first.id], { body: {} }), 'not_found');
    harness.expectError(await harness.call('tickets.get', [ticket.id]), 'not_found');
  }),
  rule('projects.members.list', 'returns the members (200)', async (harness) => {
    const { id } = await harness.shared.project();
    const members = harness.expectSuccess(await harness.call('projects.members.list', [id]), 200);
    expectTrue(members.length > 0, "the list is empty, but should contain at least the organization's owner");
  }),
  optional(
    'projects.members.list',
    "returns only the organization's owners and admins for a project without members",
    async (harness) => {
      const { id } = await harness.shared.project();
      const members = harness.expectSuccess(await harness.call('projects.members.list', [id]), 200);
      const roles: string[] = members.map(({ role }: { role: string }) => role);
      expectTrue(
        roles.every((role) => role === 'owner' || role === 'admin'),
        `expected only owners and admins, got ${roles.join(', ')}`,
      );
    },
  ),
  rule('projects.labels.list', 'returns the labels (200)', async (harness) => {
    const { id } = await harness.shared.project();
    const labels = harness.expectSuccess(await harness.call('projects.labels.list', [id]), 200);
    expectTrue(Array.isArray(labels), "the response doesn't contain a list");
  }),
  optional('projects.labels.list', 'returns no labels for a new project', async (harness) => {
    const { id } = await harness.createProject();
    expectEqual(harness.expectSuccess(await harness.call('projects.labels.list', [id]), 200), [], 'labels');
  }),
  rule('projects.tags.list', 'returns no tags if none of the tickets have tags (200)', async (harness) => {
    const { project } = await harness.createBoards();
    expectEqual(
      harness.expectSuccess(await harness.call('projects.tags.list', [project.id]), 200),
      [],
      'tags',
    );
  }),
  rule('projects.analytics.get', 'returns the analytics (200)', async (harness) => {
    harness.expectSuccess(
      await harness.call('projects.analytics.get', [(await harness.shared.project()).id]),
      200,
    );
  }),
  optional(
    'projects.analytics.get',
    'counts total, done, open, and overdue tickets, and the tickets per board',
    async (harness) => {
      const { project, first, second } = await harness.createBoards(2, { is_done: true });
      await harness.createTicket(project, second);
      await harness.createTicket(project, first, { due_at: '2001-01-01T00:00:00Z' });
      const analytics = harness.expectSuccess(
        await harness.call('projects.analytics.get', [project.id]),
        200,
      );
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
