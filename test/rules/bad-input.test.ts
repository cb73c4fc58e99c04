import { describe, expect, test } from 'vitest';
import { endpoints, everyOperation } from '../contract/endpoints.js';
import { bodyFields } from '../contract/fields.js';
import { bodies, call } from './requests.js';
import { expectRefusal, wire } from './support.js';
import { expectUnchanged, readable } from './unchanged.js';
import { serve } from './world.js';

const withBody = everyOperation.filter((id) => endpoints[id].in === 'body');
const withRequired = withBody.filter((id) => Object.values(bodyFields[id]).some(({ required }) => required));

describe('bad input', () => {
  test.each(withBody)('%s refuses a body that is not JSON (400) and changes nothing', async (operation) => {
    const mock = serve();
    for (const body of [
      '{"title": ',
      'title=Launch',
      '{title: "x"}',
      '{"a":1}{',
      "{'a':1}",
      'undefined',
      '\u0000',
    ]) {
      expectRefusal(await call(mock, operation, { body }), 'malformed_json');
    }
    await expectUnchanged(mock);
  });

  test.each(withBody)(
    '%s refuses JSON that is not an object (422) and changes nothing',
    async (operation) => {
      const mock = serve();
      for (const body of ['null', '[]', '[{}]', '"text"', '7', 'true']) {
        expectRefusal(await call(mock, operation, { body }), 'validation_failed', '(body)');
      }
      await expectUnchanged(mock);
    },
  );

  test.each(withRequired)('%s reads an empty body as {} and names what is missing', async (operation) => {
    expectRefusal(await call(serve(), operation, { body: '' }), 'validation_failed');
    expectRefusal(await call(serve(), operation, { body: undefined }), 'validation_failed');
  });

  test('an update without fields, or without a body, changes nothing and answers the record', async () => {
    for (const operation of [
      'projects.update',
      'boards.update',
      'tickets.update',
      'documents.update',
    ] as const) {
      for (const body of [{}, '', undefined]) {
        const mock = serve();
        mock.clock.advance(1000);
        expect((await call(mock, operation, { body })).status).toBe(200);
        expect(await readable(mock)).toEqual(await readable(serve()));
      }
    }
  });

  test.each(withBody)('%s is not harmed by __proto__ and constructor keys', async (operation) => {
    const poison =
      '"__proto__":{"polluted":true,"name":"x","title":"x"},"constructor":{"prototype":{"polluted":1}}';
    const mock = serve();
    const rest = JSON.stringify(bodies[operation] ?? {}).slice(1, -1);
    const accepted = await call(mock, operation, { body: `{${poison}${rest && `,${rest}`}}` });
    expect(accepted.status).toBe(endpoints[operation].success);
    expect(JSON.stringify(accepted.body ?? {})).not.toContain('polluted');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    const clean = serve();
    expect((await call(clean, operation)).body).toEqual(accepted.body);
  });

  test.each(withRequired)('%s takes no required field from __proto__', async (operation) => {
    const mock = serve();
    const body = `{"__proto__":${JSON.stringify(bodies[operation])}}`;
    expectRefusal(await call(mock, operation, { body }), 'validation_failed');
    await expectUnchanged(mock);
  });

  test.each(['__proto__', 'constructor', 'prototype', 'toString', ''])(
    '%j as an id in a body names nothing',
    async (id) => {
      const mock = serve();
      const api = wire(mock);
      const tickets = '/projects/prj_apollo/tickets';
      expectRefusal(await api.post(tickets, { title: 'x', board_id: id }), 'invalid_board', 'board_id');
      expectRefusal(await api.post(tickets, { title: 'x', board_slug: id }), 'invalid_board', 'board_slug');
      expectRefusal(await api.post('/tickets/tkt_a/move', { board_id: id }), 'invalid_board', 'board_id');
      expectRefusal(await api.patch('/tickets/tkt_a', { assignee_ids: [id] }), 'invalid_relation');
      expectRefusal(await api.patch('/tickets/tkt_a', { label_ids: [id] }), 'invalid_relation');
      expectRefusal(await api.patch('/documents/doc_guide', { project_id: id }), 'invalid_relation');
      expectRefusal(await api.patch('/documents/doc_guide', { editor_ids: [id] }), 'invalid_relation');
      expectRefusal(await api.delete('/boards/brd_todo', { move_to_board_id: id }), 'invalid_target_board');
      await expectUnchanged(mock);
    },
  );

  test('__proto__ is a tag name like any other', async () => {
    const mock = serve();
    const { data } = await call(mock, 'documents.create', {
      body: '{"title":"x","tag_names":["__proto__","constructor"]}',
    });
    expect(data.tags.map(({ name }: { name: string }) => name)).toEqual(['__proto__', 'constructor']);
    const found = await wire(mock).get('/organizations/org_acme/documents?tags=__proto__');
    expect(found.data.total).toBe(1);
  });

  test('JSON under another content type is read all the same', async () => {
    const api = wire(serve());
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/vnd.api+json']) {
      const answer = await api.send('POST', '/projects/prj_apollo/boards', '{"name":"Review"}', {
        'content-type': type,
      });
      expect({ type, status: answer.status, name: answer.data?.name }).toEqual({
        type,
        status: 201,
        name: 'Review',
      });
    }
  });

  test('what is written is read back exactly, whatever characters it has', async () => {
    const mock = serve();
    for (const title of [
      '<b>&amp;</b>',
      '\u{1F680} \u0301e',
      'a\u0000b',
      '\ud800',
      '  spaces ',
      '\\"\'',
      '\u202Eevil',
    ]) {
      const { data } = await call(mock, 'tickets.update', { body: { title } });
      expect(data.title).toBe(title);
      expect((await call(mock, 'tickets.get')).data.title).toBe(title);
    }
  });

  test('every answer of a refusal is JSON', async () => {
    const mock = serve();
    const refused = [
      await call(mock, 'tickets.get', { token: null }),
      await call(mock, 'tickets.get', { ids: { ticket: 'tkt_nobody' } }),
      await call(mock, 'tickets.create', { body: '{' }),
      await call(mock, 'tickets.create', { body: {} }),
    ];
    for (const { headers } of refused) expect(headers.get('content-type')).toMatch(/^application\/json\b/);
  });
});
