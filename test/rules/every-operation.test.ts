import { describe, expect, test } from 'vitest';
import { endpoints, everyOperation } from '../contract/endpoints.js';
import { call, pathOf } from './requests.js';
import { expectShape, results, shapes } from './shapes.js';
import { type Json, origin, wire } from './support.js';
import { serve } from './world.js';

describe('every operation', () => {
  test.each(everyOperation)('%s answers with its status and the full record', async (operation) => {
    const answer = await call(serve(), operation);
    expect(answer.status).toBe(endpoints[operation].success);
    const result = results[operation];
    if (!result) {
      expect(answer.status).toBe(204);
      expect(answer.body).toBeUndefined();
      return;
    }
    expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/);
    expect(Object.keys(answer.body)).toEqual(['data']);
    if ('one' in result) return expectShape(answer.data, result.one);
    if ('page' in result) expect(Object.keys(answer.data).sort()).toEqual(shapes.page);
    const records: Json[] = 'page' in result ? answer.data.data : answer.data;
    expect(records.length).toBeGreaterThan(0);
    for (const record of records) expectShape(record, 'page' in result ? result.page : result.list);
  });

  test('every path is below /api/v1 and unknown without it', async () => {
    for (const operation of everyOperation) {
      const { method, path } = endpoints[operation];
      const answer = await serve().fetch(`${origin}${pathOf(path)}`, {
        method,
        headers: { authorization: 'Bearer wt_acme' },
      });
      expect({ operation, status: answer.status }).toEqual({ operation, status: 404 });
    }
  });

  test('every timestamp in an answer is a date-time in UTC', async () => {
    for (const operation of everyOperation) {
      const { body } = await call(serve(), operation);
      const walk = (value: Json, key = ''): void => {
        if (typeof value === 'object' && value !== null)
          for (const [name, inner] of Object.entries(value)) walk(inner, name);
        else if (key.endsWith('_at') && value !== null)
          expect(value, `${operation} ${key}`).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
      };
      walk(body);
    }
  });

  test('every identifier is a string (a ULID), unique among the records of a server', async () => {
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

  test('fields and query parameters that the contract does not know are ignored', async () => {
    const mock = serve();
    const api = wire(mock);
    const created = await api.post('/projects/prj_apollo/boards', { name: 'Review', colour: 'red', id: 'x' });
    expect(created.status).toBe(201);
    expect(created.data.id).not.toBe('x');
    expectShape(created.data, 'board');
    expect((await api.get('/projects/prj_apollo/tickets?colour=red&sort=x')).status).toBe(200);
  });

  test('two servers with the same seed answer the same requests with the same bytes', async () => {
    const [one, two] = [serve(), serve()];
    for (const operation of everyOperation) {
      expect((await call(one, operation)).body).toEqual((await call(two, operation)).body);
    }
  });
});
