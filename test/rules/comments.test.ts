import { describe, expect, test } from 'vitest';
import { checkEach } from '../support/check-each.js';
import { readable } from './expect-unchanged.js';
import { rawApi } from './requests.js';
import { serve } from './world.js';

describe('comments', () => {
  test('G-3, A-1 a new comment has an author and a creation time', async () => {
    await checkEach(
      [
        ['/tickets/tkt_a/comments', { ticket_id: 'tkt_a' }],
        ['/documents/doc_guide/comments', { document_id: 'doc_guide' }],
      ],
      async ([path, subject]) => {
        const mock = serve();
        mock.clock.advance(60_000);
        const { status, data } = await rawApi(mock).post(path, { body_html: '<p>Well done</p>' });
        expect(status).toBe(201);
        expect(data).toEqual({
          id: expect.stringMatching(/./),
          ...subject,
          body_html: '<p>Well done</p>',
          author: { type: 'api_credential', id: 'crd_ci', name: 'CI bot' },
          created_at: '2026-01-01T00:01:00.000Z',
        });
      },
    );
  });

  test("G-3, C-18 adding a comment doesn't change the ticket or document, not even its `updated_at`", async () => {
    const mock = serve();
    mock.clock.advance(60_000);
    await rawApi(mock).post('/tickets/tkt_a/comments', { body_html: 'x' });
    await rawApi(mock).post('/documents/doc_guide/comments', { body_html: 'x' });
    expect(await readable(mock)).toEqual(await readable(serve()));
  });
});
