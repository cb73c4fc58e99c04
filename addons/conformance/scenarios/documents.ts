import { expectArchivable, expectEqual, expectTrue } from '../expectations.js';
import type { Json } from '../records.js';
import { optional, rule, type Scenario } from '../scenario.js';

const namesOf = (tags: { name: string }[]): string[] => tags.map(({ name }) => name).sort();

/** Rules about documents and notifications. */
export const documentScenarios: Scenario[] = [
  rule('documents.create', 'creates a draft by default (201)', async (harness) => {
    expectEqual((await harness.createDocument()).status, 'draft', 'status');
  }),
  rule('documents.create', 'creates a document with every field (201)', async (harness) => {
    const project = await harness.createProject();
    const { id } = await harness.findMember(project);
    const document = await harness.createDocument({
      project_id: project.id,
      caption: 'Caption',
      content_html: '<p>x</p>',
      status: 'published',
      editor_ids: [id],
      tag_names: ['conformance a', 'conformance b'],
    });
    const { project_id, caption, content_html, status, editors, tags } = document;
    expectEqual(
      [project_id, caption, content_html, status],
      [project.id, 'Caption', '<p>x</p>', 'published'],
      'the document',
    );
    expectEqual(
      [editors.map((editor: Json) => editor.id), namesOf(tags)],
      [[id], ['conformance a', 'conformance b']],
      'the editors and tags',
    );
    const read = await harness.expectSuccess('documents.get', [document.id]);
    expectEqual([read.caption, read.content_html], ['Caption', '<p>x</p>'], 'documents.get');
  }),
  rule('documents.get', 'returns the document (200)', async (harness) => {
    const { id } = await harness.shared.document();
    expectEqual((await harness.expectSuccess('documents.get', [id])).id, id, 'id');
  }),
  rule('documents.create', "records the credential's name as the author", async (harness) => {
    expectTrue(
      typeof (await harness.createDocument()).author?.name === 'string',
      "the document's author has no name",
    );
  }),
  optional('documents.create', 'rejects an unknown project and an unknown editor (422)', async (harness) => {
    for (const fields of [{ project_id: 'none' }, { editor_ids: ['none'] }]) {
      const body = { title: harness.title, ...fields };
      const [field] = Object.keys(fields);
      await harness.expectError('documents.create', [], { body }, 'invalid_relation', field);
    }
  }),
  rule('documents.create', 'rejects 101 editors (422)', async (harness) => {
    // Repeat an existing user's ID, because an unknown ID is rejected even if the deployment doesn't limit
    // the length.
    const { id } = await harness.findMember(await harness.shared.project());
    const body = { title: harness.title, editor_ids: Array.from({ length: 101 }, () => id) };
    await harness.expectError('documents.create', [], { body }, 'validation_failed', 'editor_ids');
  }),
  rule(
    'documents.update',
    'updates the fields, clears fields set to null, and archives the document (200)',
    async (harness) => {
      const project = await harness.createProject();
      const document = await harness.createDocument({ caption: 'Caption' });
      const update = async (body: object): Promise<Json> =>
        harness.expectSuccess('documents.update', [document.id], { body });
      const set = await update({
        title: 'Conformance new',
        project_id: project.id,
        content_html: 'x',
        tag_names: ['conformance c'],
      });
      expectEqual(
        [set.title, set.project_id, set.content_html, namesOf(set.tags)],
        ['Conformance new', project.id, 'x', ['conformance c']],
        'the document',
      );
      const cleared = await update({ project_id: null, caption: null, content_html: null, tag_names: [] });
      expectEqual(
        [cleared.project_id, cleared.caption, cleared.content_html, cleared.tags],
        [null, null, null, []],
        'the document',
      );
      await expectArchivable('document', update);
    },
  ),
  rule('documents.update', 'publishes a document (200)', async (harness) => {
    const { id } = await harness.createDocument();
    const body = { status: 'published' };
    const { status } = await harness.expectSuccess('documents.update', [id], { body });
    expectEqual(status, 'published', 'status');
  }),
  rule('documents.update', 'rejects an unknown status (422)', async (harness) => {
    const { id } = await harness.createDocument();
    await harness.expectError(
      'documents.update',
      [id],
      { body: { status: 'archived' } },
      'validation_failed',
      'status',
    );
  }),
  optional(
    'documents.update',
    'sets published_at when a document is published and clears it when the document becomes a draft',
    async (harness) => {
      const { id, published_at } = await harness.createDocument();
      const setStatus = async (status: string) =>
        (await harness.expectSuccess('documents.update', [id], { body: { status } })).published_at;
      expectEqual(published_at, null, 'published_at');
      expectTrue(
        typeof (await setStatus('published')) === 'string',
        "published_at isn't a date while the document is published",
      );
      expectEqual(await setStatus('draft'), null, 'published_at');
    },
  ),
  rule('documents.delete', 'soft-deletes the document (204)', async (harness) => {
    const project = await harness.createProject();
    const { id } = await harness.createDocument({ project_id: project.id });
    await harness.expectSuccess('documents.delete', [id]);
    const ids = await harness.listIds('documents.list', [], { project_id: project.id });
    expectEqual(ids, [], 'documents in the project');
  }),
  optional('documents.delete', 'makes the document inaccessible (404)', async (harness) => {
    const { id } = await harness.createDocument();
    await harness.expectSuccess('documents.delete', [id]);
    await harness.expectError('documents.get', [id], {}, 'not_found');
  }),
  rule('documents.comments.create', 'creates a comment (201)', async (harness) => {
    const { id } = await harness.shared.document();
    const body = { body_html: '<p>Hello</p>' };
    const { body_html } = await harness.expectSuccess('documents.comments.create', [id], { body });
    expectEqual(body_html, '<p>Hello</p>', 'body_html');
  }),
  rule('notifications.send', 'rejects an unknown recipient (422)', async (harness) => {
    const body = { user_ids: ['none'], title: 'Conformance', body: 'x' };
    await harness.expectError('notifications.send', [], { body }, 'invalid_recipient', 'user_ids');
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
      ['a URL on another site', { url: 'https://example.com/app' }, 'url', 'invalid_url'],
      ['a path outside /app', { url: '/application' }, 'url', 'invalid_url'],
      ['a path that escapes /app', { url: '/app/../admin' }, 'url', 'invalid_url'],
    ] as const
  ).map(([title, fields, field, code]) =>
    rule('notifications.send', `rejects ${title} (422)`, async (harness) => {
      // Use an unknown recipient so that nobody is notified even if the deployment accepts the other fields.
      const body = { user_ids: ['none'], title: 'Conformance', body: 'x', ...fields };
      await harness.expectError('notifications.send', [], { body }, code, field);
    }),
  ),
];
