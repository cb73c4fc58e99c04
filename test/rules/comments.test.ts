import { describe, expect, test } from 'vitest';
import { wire } from './support.js';
import { readable } from './unchanged.js';
import { serve } from './world.js';

describe('comments', () => {
  test.each([
    ['tickets.comments.create', '/tickets/tkt_a/comments', { ticket_id: 'tkt_a' }],
    ['documents.comments.create', '/documents/doc_guide/comments', { document_id: 'doc_guide' }],
  ])('%s answers the comment with its author and time', async (_, path, subject) => {
    const mock = serve();
    mock.clock.advance(60_000);
    const { status, data } = await wire(mock).post(path, { body_html: '<p>Well done</p>' });
    expect(status).toBe(201);
    expect(data).toEqual({
      id: expect.stringMatching(/./),
      ...subject,
      body_html: '<p>Well done</p>',
      author: { type: 'api_credential', id: 'crd_ci', name: 'CI bot' },
      created_at: '2026-01-01T00:01:00.000Z',
    });
  });

  test('a comment changes nothing of the ticket or document it is on', async () => {
    const mock = serve();
    mock.clock.advance(60_000);
    await wire(mock).post('/tickets/tkt_a/comments', { body_html: 'x' });
    await wire(mock).post('/documents/doc_guide/comments', { body_html: 'x' });
    expect(await readable(mock)).toEqual(await readable(serve()));
  });

  test('comments on tickets and on documents need a scope each, and neither gives the other', async () => {
    const mock = serve();
    const ticket = wire(mock, 'wt_only_comments:write');
    const document = wire(mock, 'wt_only_document_comments:write');
    const body = { body_html: 'x' };
    expect((await ticket.post('/tickets/tkt_a/comments', body)).status).toBe(201);
    expect((await ticket.post('/documents/doc_guide/comments', body)).status).toBe(403);
    expect((await document.post('/documents/doc_guide/comments', body)).status).toBe(201);
    expect((await document.post('/tickets/tkt_a/comments', body)).status).toBe(403);
  });
});
