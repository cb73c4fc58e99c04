import type { Json } from '../lab.js';
import { holds, same } from '../outcome.js';
import { choice, rule, type Scenario } from '../scenario.js';

const namesOf = (tags: { name: string }[]): string[] => tags.map(({ name }) => name).sort();

/** Documents and notifications. */
export const documentScenarios: Scenario[] = [
  rule('documents.create', 'makes a draft where no status is given (201)', async (lab) => {
    same((await lab.document()).status, 'draft', 'status');
  }),
  rule('documents.create', 'makes a document with every field (201)', async (lab) => {
    const project = await lab.project();
    const { id } = await lab.member(project);
    const document = await lab.document({
      project_id: project.id,
      caption: 'Caption',
      content_html: '<p>x</p>',
      status: 'published',
      editor_ids: [id],
      tag_names: ['conformance a', 'conformance b'],
    });
    const { project_id, caption, content_html, status, editors, tags } = document;
    same(
      [project_id, caption, content_html, status],
      [project.id, 'Caption', '<p>x</p>', 'published'],
      'the document',
    );
    same(
      [editors.map((editor: Json) => editor.id), namesOf(tags)],
      [[id], ['conformance a', 'conformance b']],
      'its relations',
    );
    same(lab.succeeds(await lab.call('documents.get', [document.id]), 200), document, 'documents.get');
  }),
  rule('documents.get', 'gives the document (200)', async (lab) => {
    const { id } = await lab.document();
    same(lab.succeeds(await lab.call('documents.get', [id]), 200).id, id, 'id');
  }),
  rule('documents.create', 'records the credential as author, by its name', async (lab) => {
    holds(typeof (await lab.document()).author?.name === 'string', 'the document has no author with a name');
  }),
  choice('documents.create', 'refuses a project and an editor that are none (422)', async (lab) => {
    for (const fields of [{ project_id: 'none' }, { editor_ids: ['none'] }]) {
      const answer = await lab.call('documents.create', [], { body: { title: 'Conformance', ...fields } });
      if (answer.status === 201) lab.cleanUp(() => lab.call('documents.delete', [answer.data.id]));
      lab.refuses(answer, 'invalid_relation', Object.keys(fields)[0]);
    }
  }),
  rule('documents.update', 'changes every field, null clears, archived archives (200)', async (lab) => {
    const project = await lab.project();
    const document = await lab.document({ caption: 'Caption' });
    const update = async (body: object): Promise<Json> =>
      lab.succeeds(await lab.call('documents.update', [document.id], { body }), 200);
    const set = await update({
      title: 'Conformance new',
      project_id: project.id,
      content_html: 'x',
      tag_names: ['conformance c'],
    });
    same(
      [set.title, set.project_id, set.content_html, namesOf(set.tags)],
      ['Conformance new', project.id, 'x', ['conformance c']],
      'the document',
    );
    const cleared = await update({ project_id: null, caption: null, content_html: null, tag_names: [] });
    same(
      [cleared.project_id, cleared.caption, cleared.content_html, cleared.tags],
      [null, null, null, []],
      'the document',
    );
    holds(
      typeof (await update({ archived: true })).archived_at === 'string',
      'archived_at is no date while archived',
    );
    same((await update({ archived: false })).archived_at, null, 'archived_at');
  }),
  rule('documents.update', 'publishes (200)', async (lab) => {
    const { id } = await lab.document();
    const answer = await lab.call('documents.update', [id], { body: { status: 'published' } });
    same(lab.succeeds(answer, 200).status, 'published', 'status');
  }),
  rule('documents.update', 'refuses a status that is none (422)', async (lab) => {
    const { id } = await lab.document();
    lab.refuses(
      await lab.call('documents.update', [id], { body: { status: 'archived' } }),
      'validation_failed',
      'status',
    );
  }),
  choice(
    'documents.update',
    'sets published_at when it becomes published, and clears it with a draft',
    async (lab) => {
      const { id, published_at } = await lab.document();
      const become = async (status: string) =>
        lab.succeeds(await lab.call('documents.update', [id], { body: { status } }), 200).published_at;
      same(published_at, null, 'published_at');
      holds(typeof (await become('published')) === 'string', 'published_at is no date while published');
      same(await become('draft'), null, 'published_at');
    },
  ),
  rule('documents.delete', 'deletes softly (204)', async (lab) => {
    const project = await lab.project();
    const { id } = await lab.document({ project_id: project.id });
    lab.succeeds(await lab.call('documents.delete', [id]), 204);
    const { items } = lab.page(await lab.call('documents.list', [], { query: { project_id: project.id } }));
    same(items, [], 'documents of the project');
  }),
  choice('documents.delete', 'leaves nothing to be found (404)', async (lab) => {
    const { id } = await lab.document();
    lab.succeeds(await lab.call('documents.delete', [id]), 204);
    lab.refuses(await lab.call('documents.get', [id]), 'not_found');
  }),
  rule('documents.comments.create', 'makes a comment (201)', async (lab) => {
    const { id } = await lab.document();
    const answer = await lab.call('documents.comments.create', [id], { body: { body_html: '<p>Hello</p>' } });
    same(lab.succeeds(answer, 201).body_html, '<p>Hello</p>', 'body_html');
  }),
  rule('notifications.send', 'refuses a recipient who is nobody (422)', async (lab) => {
    const body = { user_ids: ['none'], title: 'Conformance', body: 'x' };
    lab.refuses(await lab.call('notifications.send', [], { body }), 'invalid_recipient', 'user_ids');
  }),
  ...(
    [
      ['no recipients', { user_ids: [] }, 'user_ids', 'validation_failed'],
      [
        '101 recipients',
        { user_ids: Array.from({ length: 101 }, (_, index) => `user ${index}`) },
        'user_ids',
        'validation_failed',
      ],
      ['a title of 181 characters', { title: 'x'.repeat(181) }, 'title', 'validation_failed'],
      ['a body of 2001 characters', { body: 'x'.repeat(2001) }, 'body', 'validation_failed'],
      ['a URL elsewhere', { url: 'https://example.com/app' }, 'url', 'invalid_url'],
      ['a path outside /app', { url: '/application' }, 'url', 'invalid_url'],
      ['a path that leaves /app', { url: '/app/../admin' }, 'url', 'invalid_url'],
    ] as const
  ).map(([what, fields, field, code]) =>
    rule('notifications.send', `refuses ${what} (422)`, async (lab) => {
      // Nobody of that name exists: were it accepted for what is tried, it would still reach nobody.
      const body = { user_ids: ['none'], title: 'Conformance', body: 'x', ...fields };
      lab.refuses(await lab.call('notifications.send', [], { body }), code, field);
    }),
  ),
];
