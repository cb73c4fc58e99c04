import { describe, expect, test } from 'vitest';
import { endpoints, everyOperation } from '../contract/endpoints.js';
import { call, own, pathOf, recordParameter, unknown } from './requests.js';
import { expectRefusal, origin, wire } from './support.js';
import { expectUnchanged } from './unchanged.js';
import { serve } from './world.js';

const onRecords = everyOperation.filter((id) => recordParameter(id));
const onProjects = everyOperation.filter((id) => recordParameter(id) === 'project');
const onBoards = everyOperation.filter((id) => recordParameter(id) === 'board');
const onTickets = everyOperation.filter((id) => recordParameter(id) === 'ticket');
const onDocuments = everyOperation.filter((id) => recordParameter(id) === 'document');

describe('what is not there', () => {
  test.each(onRecords)('%s answers 404 for an unknown record', async (operation) => {
    const mock = serve();
    expectRefusal(await call(mock, operation, { ids: unknown }), 'not_found');
    await expectUnchanged(mock);
  });

  test.each(onRecords)('%s answers 404 for the id of a record of another kind', async (operation) => {
    const kind = recordParameter(operation) as keyof typeof own;
    for (const [other, id] of Object.entries(own)) {
      if (other === kind) continue;
      expectRefusal(await call(serve(), operation, { ids: { [kind]: id } }), 'not_found');
    }
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'the id %s is as unknown as any other',
    async (id) => {
      for (const operation of onRecords) {
        const kind = recordParameter(operation) as string;
        expectRefusal(await call(serve(), operation, { ids: { [kind]: id } }), 'not_found');
      }
    },
  );

  test.each(onProjects)('%s answers 404 for a deleted project', async (operation) => {
    const mock = serve();
    await call(mock, 'projects.delete');
    expectRefusal(await call(mock, operation), 'not_found');
  });

  test.each([...onBoards, ...onTickets])('%s answers 404 once the project is deleted', async (operation) => {
    const mock = serve();
    await call(mock, 'projects.delete');
    expectRefusal(await call(mock, operation), 'not_found');
  });

  test.each(onBoards)('%s answers 404 for a deleted board', async (operation) => {
    const mock = serve();
    await call(mock, 'boards.delete');
    expectRefusal(await call(mock, operation), 'not_found');
  });

  test.each(onTickets)('%s answers 404 for a deleted ticket', async (operation) => {
    const mock = serve();
    await call(mock, 'tickets.delete');
    expectRefusal(await call(mock, operation), 'not_found');
  });

  test.each(onDocuments)('%s answers 404 for a deleted document', async (operation) => {
    const mock = serve();
    await call(mock, 'documents.delete');
    expectRefusal(await call(mock, operation), 'not_found');
  });

  test('a deleted record of another organization is 404, a live one 403', async () => {
    const mock = serve();
    const ids = { ticket: 'tkt_other', project: 'prj_other', document: 'doc_other' };
    expectRefusal(await call(mock, 'tickets.get', { ids }), 'wrong_organization');
    await call(mock, 'tickets.delete', { ids, token: 'wt_other' });
    expectRefusal(await call(mock, 'tickets.get', { ids }), 'not_found');
    await call(mock, 'documents.delete', { ids, token: 'wt_other' });
    expectRefusal(await call(mock, 'documents.get', { ids }), 'not_found');
    await call(mock, 'projects.delete', { ids, token: 'wt_other' });
    expectRefusal(await call(mock, 'projects.get', { ids }), 'not_found');
  });

  test('a path that no operation has is 404, with or without a credential', async () => {
    const mock = serve();
    const paths = ['/', '/nothing', '/projects', '/projects/prj_apollo/nothing', '/tickets/tkt_a/move/again'];
    for (const path of paths) {
      expectRefusal(await wire(mock).get(path), 'not_found');
      expectRefusal(await wire(mock, null).get(path), 'not_found');
    }
    const outside = await mock.fetch(`${origin}/api/v2/organizations/org_acme`);
    expect(outside.status).toBe(404);
  });

  test('a path whose percent-encoding is broken is a clear 4xx', async () => {
    const answer = await wire(serve()).get('/tickets/%E0%A4%A');
    expect(answer.status).toBe(404);
    expect(answer.body.code).toBe('not_found');
  });

  test.each(everyOperation)(
    'the path of %s refuses methods it does not have (405) and lists those it has',
    async (operation) => {
      const { path } = endpoints[operation];
      const allowed = everyOperation
        .filter((id) => endpoints[id].path === path)
        .map((id) => endpoints[id].method);
      const mock = serve();
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
        if (allowed.includes(method)) continue;
        const answer = await wire(mock).send(method, pathOf(path));
        expectRefusal(answer, 'method_not_allowed');
        const listed = (answer.headers.get('allow') ?? '').split(/\s*,\s*/);
        expect(listed).toEqual(expect.arrayContaining(allowed));
        expect(listed).not.toContain(method);
      }
      await expectUnchanged(mock);
    },
  );

  test('an id in a path is percent-decoded', async () => {
    const mock = serve({ boards: [{ id: 'brd/ü 1', name: 'Odd', tickets: [] }] });
    const answer = await wire(mock).patch(`/boards/${encodeURIComponent('brd/ü 1')}`, { color: 'red' });
    expect({ status: answer.status, id: answer.data?.id }).toEqual({ status: 200, id: 'brd/ü 1' });
  });
});
