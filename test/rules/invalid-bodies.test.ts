import { describe, expect, test } from 'vitest';
import type { ErrorCode, OperationId } from 'worktrack/contract';
import { listen } from 'worktrack/mock-server/node';
import { operations } from '../support/operations.js';
import { expectUnchanged, readable } from './expect-unchanged.js';
import { expectError } from './expectations.js';
import { call, rawApi, start, withBody, withRequired } from './requests.js';
import { serve } from './world.js';

describe('request bodies', () => {
  test("G-4, G-9, E-9, C-6 every operation rejects a body that isn't a JSON object, treats an empty one as {}, and doesn't change anything", async () => {
    const mock = serve();
    const notJson = [
      '{"title": ',
      'title=Launch',
      '{title: "x"}',
      '{"a":1}{',
      "{'a':1}",
      'undefined',
      '\u0000',
    ];
    const reject = async (id: OperationId, body: unknown, code: ErrorCode, field?: string) =>
      expectError(await call(mock, id, { body }), code, field, `${id} ${body}`);
    for (const id of withBody) {
      for (const body of notJson) await reject(id, body, 'malformed_json');
      for (const body of ['null', '[]', '[{}]', '"text"', '7', 'true']) {
        await reject(id, body, 'validation_failed', '(body)');
      }
      const [required] = Object.entries(operations[id].body).find(([, field]) => field.required) ?? [];
      for (const body of ['', undefined]) {
        if (required !== undefined) await reject(id, body, 'validation_failed', required);
      }
    }
    await expectUnchanged(mock);
  });

  test("E-9 a body that isn't valid UTF-8 is rejected, and the connection can still be used", async () => {
    await using server = await listen();
    const { organization, token } = server.clientOptions();
    const name = (bytes: readonly number[]) =>
      Uint8Array.from([...Buffer.from('{"key":"APO","name":"'), ...bytes, ...Buffer.from('"}')]);
    const post = async (origin: string, fetch: typeof globalThis.fetch, bytes: readonly number[]) => {
      const response = await fetch(`${origin}/api/v1/organizations/${organization}/projects`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: name(bytes),
      });
      return [response.status, (await response.json()).message];
    };
    for (const [origin, fetch] of [
      [server.url, globalThis.fetch],
      [server.url, server.mock.fetch],
    ] as const) {
      for (const bytes of [[0xe9], [0xff], [0xc3], [0xed, 0xa0, 0x80]]) {
        expect(await post(origin, fetch, bytes)).toEqual([400, "The body isn't valid UTF-8."]);
      }
      expect(await post(origin, fetch, [0xc3, 0xa9, 0xef, 0xbf, 0xbd])).toEqual([201, undefined]);
    }
    expect(server.mock.state.projects.all().map((project) => project.name)).toEqual(['é\ufffd', 'é\ufffd']);
  });

  test("F-3, C-18 an update without fields or a body returns the record and doesn't change it", async () => {
    const untouched = await readable(serve());
    for (const id of ['projects.update', 'boards.update', 'tickets.update', 'documents.update'] as const) {
      for (const body of [{}, '', undefined]) {
        const mock = serve();
        mock.clock.advance(1000);
        expect((await call(mock, id, { body })).status, id).toBe(200);
        expect(await readable(mock), id).toEqual(untouched);
      }
    }
  });

  test('every operation treats keys such as `__proto__` and `constructor` as unknown fields', async () => {
    const keys =
      '"__proto__":{"polluted":true,"name":"x","title":"x"},"constructor":{"prototype":{"polluted":1}}';
    for (const id of withBody) {
      const { example, status } = operations[id];
      const rest = JSON.stringify(example ?? {}).slice(1, -1);
      const response = await call(serve(), id, { body: `{${keys}${rest && `,${rest}`}}` });
      expect(response.status, id).toBe(status);
      expect(JSON.stringify(response.body ?? {}), id).not.toContain('polluted');
      expect(({} as Record<string, unknown>).polluted, id).toBeUndefined();
      expect((await call(serve(), id)).body, id).toEqual(response.body);
    }
  });

  test('every operation ignores required fields inside `__proto__`', async () => {
    const mock = serve();
    for (const id of withRequired) {
      const body = `{"__proto__":${JSON.stringify(operations[id].example)}}`;
      expectError(await call(mock, id, { body }), 'validation_failed', undefined, id);
    }
    await expectUnchanged(mock);
  });

  test('T-1, T-2, T-3, B-4, D-1 an ID that is empty or the name of a built-in property is rejected as unknown', async () => {
    const { mock, api } = start();
    const tickets = '/projects/prj_apollo/tickets';
    for (const id of ['__proto__', 'constructor', 'prototype', 'toString', '']) {
      expectError(await api.post(tickets, { title: 'x', board_id: id }), 'invalid_board', 'board_id', id);
      expectError(await api.post(tickets, { title: 'x', board_slug: id }), 'invalid_board', 'board_slug', id);
      expectError(await api.post('/tickets/tkt_a/move', { board_id: id }), 'invalid_board', 'board_id', id);
      for (const [path, body] of [
        ['/tickets/tkt_a', { assignee_ids: [id] }],
        ['/tickets/tkt_a', { label_ids: [id] }],
        ['/documents/doc_guide', { project_id: id }],
        ['/documents/doc_guide', { editor_ids: [id] }],
      ] as const) {
        expectError(await api.patch(path, body), 'invalid_relation', undefined, JSON.stringify(body));
      }
      const target = { move_to_board_id: id };
      expectError(await api.delete('/boards/brd_todo', target), 'invalid_target_board', undefined, id);
    }
    await expectUnchanged(mock);
  });

  test('a tag can be named `__proto__`', async () => {
    const mock = serve();
    const { data } = await call(mock, 'documents.create', {
      body: '{"title":"x","tag_names":["__proto__","constructor"]}',
    });
    expect(data.tags.map(({ name }: { name: string }) => name)).toEqual(['__proto__', 'constructor']);
    const found = await rawApi(mock).get('/organizations/org_acme/documents?tags=__proto__');
    expect(found.data.total).toBe(1);
  });

  test('C-6 a JSON body is accepted whatever its content type is', async () => {
    const api = rawApi(serve());
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/vnd.api+json']) {
      const { status, data } = await api.send('POST', '/projects/prj_apollo/boards', '{"name":"Review"}', {
        'content-type': type,
      });
      expect({ status, name: data?.name }, type).toEqual({ status: 201, name: 'Review' });
    }
  });

  test('a string is returned exactly as sent, even if it contains unusual characters', async () => {
    const mock = serve();
    const titles = [
      '<b>&amp;</b>',
      '\u{1F680} \u0301e',
      'a\u0000b',
      '\ud800',
      '  spaces ',
      '\\"\'',
      '\u202Eevil',
    ];
    for (const title of titles) {
      const { data } = await call(mock, 'tickets.update', { body: { title } });
      expect(data.title).toBe(title);
      expect((await call(mock, 'tickets.get')).data.title).toBe(title);
    }
  });
});
