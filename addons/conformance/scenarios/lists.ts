import { expectEqual } from '../expectations.js';
import { idsOf } from '../harness.js';
import { optional, rule, type Scenario } from '../scenario.js';

/** Rules about filtering and paginating tickets and documents. */
export const listScenarios: Scenario[] = [
  rule('tickets.list', "returns a board's tickets (200)", async (harness) => {
    const { project, first, second, tickets } = await harness.createBoards(2);
    await harness.createTicket(project, second);
    expectEqual(await harness.listTicketIds(project, first), idsOf(tickets), 'tickets on the first board');
  }),
  rule('tickets.list', 'searches ticket text (200)', async (harness) => {
    const { project, first } = await harness.createBoards();
    const found = await harness.createTicket(project, first, { title: 'Needle in the haystack' });
    const ids = await harness.listIds('tickets.list', [project.id], { q: 'needle' });
    expectEqual(ids, [found.id], 'tickets found');
  }),
  optional('tickets.list', 'searches the description, ignoring markup and case', async (harness) => {
    const { project, first } = await harness.createBoards();
    const found = await harness.createTicket(project, first, {
      description_html: '<p>Ne<b>ed</b>le &amp; thread</p>',
    });
    for (const [q, ids] of [
      ['NEEDLE & t', [found.id]],
      ['<b>', []],
    ] as const) {
      expectEqual(await harness.listIds('tickets.list', [project.id], { q }), ids, `tickets with ${q}`);
    }
  }),
  rule(
    'tickets.list',
    'accepts per_page from 1 to 200 (200) and rejects other values (422)',
    async (harness) => {
      const { project } = await harness.createBoards(2);
      for (const [per_page, count] of [
        [1, 1],
        [200, 2],
      ]) {
        const { items } = await harness.expectPage('tickets.list', [project.id], { per_page });
        expectEqual(items.length, count, `tickets with per_page=${per_page}`);
      }
      for (const per_page of [0, 201, 'many', 1.5]) {
        const query = { per_page };
        await harness.expectError('tickets.list', [project.id], { query }, 'validation_failed', 'per_page');
      }
    },
  ),
  optional('tickets.list', 'returns numbered pages with totals', async (harness) => {
    const { project, tickets } = await harness.createBoards(3);
    const pages: unknown[] = [];
    for (const page of [1, 2, 3]) {
      const query = { per_page: 2, page };
      const { items, pageInfo } = await harness.expectPage('tickets.list', [project.id], query);
      const { current_page, last_page, total, from, to } = pageInfo;
      pages.push([idsOf(items), current_page, last_page, total, from, to]);
    }
    const [one, two, three] = idsOf(tickets);
    expectEqual(
      pages,
      [
        [[one, two], 1, 2, 3, 1, 2],
        [[three], 2, 2, 3, 3, 3],
        [[], 3, 2, 3, null, null],
      ],
      'pages',
    );
  }),
  rule('documents.list', 'filters by project, status, and all given tags (200)', async (harness) => {
    const project = await harness.createProject();
    const both = await harness.createDocument({
      project_id: project.id,
      tag_names: ['conformance a', 'conformance b'],
      status: 'published',
    });
    const one = await harness.createDocument({ project_id: project.id, tag_names: ['conformance a'] });
    const find = async (query: object) =>
      (await harness.listIds('documents.list', [], { project_id: project.id, ...query })).sort();
    expectEqual(await find({}), [both.id, one.id].sort(), 'documents in the project');
    expectEqual(await find({ tags: 'conformance a' }), [both.id, one.id].sort(), 'documents with one tag');
    expectEqual(await find({ tags: 'conformance a,conformance b' }), [both.id], 'documents with both tags');
    expectEqual(await find({ status: 'draft' }), [one.id], 'drafts');
    expectEqual(
      await find({ status: 'published', tags: 'conformance a' }),
      [both.id],
      'published documents with a tag',
    );
  }),
  rule('documents.list', 'searches document text (200)', async (harness) => {
    const project = await harness.createProject();
    const found = await harness.createDocument({ project_id: project.id, caption: 'With a needle' });
    await harness.createDocument({ project_id: project.id });
    const ids = await harness.listIds('documents.list', [], { project_id: project.id, q: 'needle' });
    expectEqual(ids, [found.id], 'documents found');
  }),
  rule('documents.list', 'rejects an unknown status and a per_page of 0 or 201 (422)', async (harness) => {
    for (const query of [{ status: 'archived' }, { per_page: 0 }, { per_page: 201 }]) {
      await harness.expectError('documents.list', [], { query }, 'validation_failed', Object.keys(query)[0]);
    }
  }),
];
