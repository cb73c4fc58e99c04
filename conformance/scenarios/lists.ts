import { same } from '../outcome.js';
import { choice, rule, type Scenario } from '../scenario.js';

const idsOf = (records: { id: string }[]): string[] => records.map(({ id }) => id);

/** Filters and pages of the two lists that have them. */
export const listScenarios: Scenario[] = [
  rule('tickets.list', 'shows the tickets of a board (200)', async (lab) => {
    const { project, first, second, tickets } = await lab.stage(2);
    await lab.ticket(project, second);
    same(await lab.order(project, first), idsOf(tickets), 'tickets of the first board');
  }),
  rule('tickets.list', 'finds tickets by text (200)', async (lab) => {
    const { project, first } = await lab.stage();
    const found = await lab.ticket(project, first, { title: 'Needle in the haystack' });
    const query = { q: 'needle' };
    same(
      idsOf(lab.page(await lab.call('tickets.list', [project.id], { query })).items),
      [found.id],
      'tickets found',
    );
  }),
  choice('tickets.list', 'searches the description without its markup, whatever the case', async (lab) => {
    const { project, first } = await lab.stage();
    const found = await lab.ticket(project, first, { description_html: '<p>Ne<b>ed</b>le &amp; thread</p>' });
    for (const [q, ids] of [
      ['NEEDLE & t', [found.id]],
      ['<b>', []],
    ] as const) {
      const { items } = lab.page(await lab.call('tickets.list', [project.id], { query: { q } }));
      same(idsOf(items), ids, `tickets with ${q}`);
    }
  }),
  rule('tickets.list', 'takes per_page from 1 to 200 (200), and nothing else (422)', async (lab) => {
    const { project } = await lab.stage(2);
    const list = (per_page: unknown) => lab.call('tickets.list', [project.id], { query: { per_page } });
    same(lab.page(await list(1)).items.length, 1, 'tickets on a page of 1');
    same(lab.page(await list(200)).items.length, 2, 'tickets on a page of 200');
    for (const wrong of [0, 201, 'many', 1.5])
      lab.refuses(await list(wrong), 'validation_failed', 'per_page');
  }),
  choice('tickets.list', 'pages by number, with the figures of the whole', async (lab) => {
    const { project, tickets } = await lab.stage(3);
    const pages: unknown[] = [];
    for (const page of [1, 2, 3]) {
      const query = { per_page: 2, page };
      const { items, figures } = lab.page(await lab.call('tickets.list', [project.id], { query }));
      pages.push([
        idsOf(items),
        figures.current_page,
        figures.last_page,
        figures.total,
        figures.from,
        figures.to,
      ]);
    }
    const [one, two, three] = idsOf(tickets);
    same(
      pages,
      [
        [[one, two], 1, 2, 3, 1, 2],
        [[three], 2, 2, 3, 3, 3],
        [[], 3, 2, 3, null, null],
      ],
      'pages',
    );
  }),
  rule(
    'documents.list',
    'finds documents that have all the tags, the project and the status asked for (200)',
    async (lab) => {
      const project = await lab.project();
      const both = await lab.document({
        project_id: project.id,
        tag_names: ['conformance a', 'conformance b'],
        status: 'published',
      });
      const one = await lab.document({ project_id: project.id, tag_names: ['conformance a'] });
      const find = async (query: Record<string, unknown>) =>
        idsOf(
          lab.page(await lab.call('documents.list', [], { query: { project_id: project.id, ...query } }))
            .items,
        ).sort();
      same(await find({}), [both.id, one.id].sort(), 'documents of the project');
      same(await find({ tags: 'conformance a' }), [both.id, one.id].sort(), 'documents with one tag');
      same(await find({ tags: 'conformance a,conformance b' }), [both.id], 'documents with both tags');
      same(await find({ status: 'draft' }), [one.id], 'drafts');
      same(
        await find({ status: 'published', tags: 'conformance a' }),
        [both.id],
        'published documents with a tag',
      );
    },
  ),
  rule('documents.list', 'finds documents by text (200)', async (lab) => {
    const project = await lab.project();
    const found = await lab.document({ project_id: project.id, caption: 'With a needle' });
    await lab.document({ project_id: project.id });
    const query = { project_id: project.id, q: 'needle' };
    same(
      idsOf(lab.page(await lab.call('documents.list', [], { query })).items),
      [found.id],
      'documents found',
    );
  }),
  rule('documents.list', 'refuses a status that is none, and pages of 0 and 201 (422)', async (lab) => {
    for (const query of [{ status: 'archived' }, { per_page: 0 }, { per_page: 201 }]) {
      lab.refuses(
        await lab.call('documents.list', [], { query }),
        'validation_failed',
        Object.keys(query)[0],
      );
    }
  }),
];
