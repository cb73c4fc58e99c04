import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { OperationId } from 'worktrack/contract';
import { everyOperation, operations, recordFields } from '../support/operations.js';
import { expectRecord } from './expectations.js';
import { call, type Json, origin, own, pathOf, rawApi } from './requests.js';
import { serve } from './world.js';

const rows = everyOperation.map((id) => ({ id, ...operations[id] }));

describe('every operation', () => {
  for (const { rule, id, scope, status, returns } of rows) {
    test(`${rule} ${id} returns ${status} for a credential with only ${scope}`, async () => {
      const response = await call(serve(), id, { token: `wt_only_${scope}` });
      expect({ status: response.status, hasBody: response.body !== undefined }).toEqual({
        status,
        hasBody: returns !== undefined,
      });
    });
  }

  test('G-4 every path starts with /api/v1 and returns 404 without that prefix', async () => {
    const mock = serve();
    for (const id of everyOperation) {
      const { method, path } = operations[id];
      const response = await mock.fetch(`${origin}${pathOf(path)}`, {
        method,
        headers: { authorization: 'Bearer wt_acme' },
      });
      expect(response.status, id).toBe(404);
    }
  });

  test('G-4, R-1, R-4 every successful response is JSON with exactly the specified fields', async () => {
    for (const { id, returns } of rows) {
      const { headers, body, data } = await call(serve(), id);
      if (!returns) {
        expect(body, id).toBeUndefined();
        continue;
      }
      expect(headers.get('content-type'), id).toMatch(/^application\/json\b/);
      expect(Object.keys(body), id).toEqual(['data']);
      if (returns.as === 'one') {
        expectRecord(data, returns.record, id);
        continue;
      }
      if (returns.as === 'page') expect(Object.keys(data).sort(), id).toEqual(recordFields.page);
      const records: Json[] = returns.as === 'page' ? data.data : data;
      expect(records.length, id).toBeGreaterThan(0);
      for (const record of records) expectRecord(record, returns.record, id);
    }
  });

  test("every write changes at least one record, and reads don't change any", async () => {
    for (const { id, method } of rows) {
      const mock = serve();
      const recordsOf = () => Object.values(mock.export()).filter(Array.isArray);
      const before = recordsOf();
      await call(mock, id);
      const changes = !isDeepStrictEqual(recordsOf(), before);
      expect(`${id} ${changes ? 'changes' : "doesn't change"} records`).toBe(
        `${id} ${method === 'GET' ? "doesn't change" : 'changes'} records`,
      );
    }
  });

  test('R-2 every timestamp in a response is a UTC date-time', async () => {
    for (const id of everyOperation) {
      const { body } = await call(serve(), id);
      const walk = (value: Json, key = ''): void => {
        if (typeof value === 'object' && value !== null)
          for (const [name, inner] of Object.entries(value)) walk(inner, name);
        else if (key.endsWith('_at') && value !== null)
          expect(value, `${id} ${key}`).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
      };
      walk(body);
    }
  });

  test('R-3, C-11 every new record has a unique ULID as its ID', async () => {
    const mock = serve();
    const created = ['projects.create', 'boards.create', 'tickets.create', 'documents.create'] as const;
    const ids = new Set<string>();
    for (const operation of created) {
      for (let time = 0; time < 3; time++) {
        const { data } = await call(mock, operation);
        expect(data.id).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
        ids.add(data.id);
      }
    }
    expect(ids.size).toBe(12);
  });

  test('C-7 every operation ignores unknown fields and query parameters', async () => {
    const api = rawApi(serve());
    const created = await api.post('/projects/prj_apollo/boards', { name: 'Review', colour: 'red', id: 'x' });
    expect(created.status).toBe(201);
    expect(created.data.id).not.toBe('x');
    expectRecord(created.data, 'board');
    expect((await api.get('/projects/prj_apollo/tickets?colour=red&sort=x')).status).toBe(200);
  });

  test("F-8, P-1 an operation ignores fields of its record that it can't set", async () => {
    const cases: [OperationId, body: object, result: object][] = [
      ['boards.create', { name: 'Review', is_hidden: true }, { is_hidden: false }],
      ['documents.create', { title: 'x', archived: true }, { archived_at: null }],
      ['projects.update', { key: 'NEW' }, { key: 'APO' }],
      [
        'tickets.update',
        { board_id: 'brd_done', position: 2, number: 99 },
        { board_id: 'brd_todo', position: 0, number: 1 },
      ],
    ];
    for (const [id, body, result] of cases) {
      const { status, data } = await call(serve(), id, { body });
      expect({ status, data }, id).toMatchObject({ status: operations[id].status, data: result });
    }
  });

  test('C-29 two servers with the same seed data return identical responses to the same requests', async () => {
    const [one, two] = [serve(), serve()];
    for (const id of everyOperation) {
      expect((await call(one, id)).body, id).toEqual((await call(two, id)).body);
    }
  });

  test('every operation percent-decodes the IDs in its path', async () => {
    const mock = serve({ boards: [{ id: 'brd/ü 1', name: 'Odd', tickets: [] }] });
    const ids = { ...own, board: 'brd/ü 1' };
    const { status, data } = await call(mock, 'boards.update', { ids, body: { color: 'red' } });
    expect({ status, id: data?.id }).toEqual({ status: 200, id: 'brd/ü 1' });
  });
});
