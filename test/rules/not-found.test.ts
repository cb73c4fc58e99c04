import { describe, expect, test } from 'vitest';
import type { OperationId } from 'worktrack/contract';
import { everyOperation, operations } from '../support/operations.js';
import { expectUnchanged } from './expect-unchanged.js';
import { expectError } from './expectations.js';
import { call, origin, own, pathOf, rawApi, recordParameter, unknown } from './requests.js';
import { type Mock, serve } from './world.js';

const onRecords = everyOperation.filter((id) => recordParameter(id));
const on = (kind: keyof typeof own) => everyOperation.filter((id) => recordParameter(id) === kind);

async function expectNotFound(mock: Mock, operations: readonly OperationId[], ids = {}): Promise<void> {
  for (const id of operations) {
    expectError(await call(mock, id, { ids }), 'not_found', undefined, `${id} ${JSON.stringify(ids)}`);
  }
}

describe('missing records', () => {
  test('E-7, C-3 every operation returns 404 for an unknown record', async () => {
    const mock = serve();
    await expectNotFound(mock, onRecords, unknown);
    await expectUnchanged(mock);
  });

  test('E-7 every operation returns 404 for an ID of the wrong record type', async () => {
    const mock = serve();
    for (const operation of onRecords) {
      const kind = recordParameter(operation) as keyof typeof own;
      for (const [other, id] of Object.entries(own)) {
        if (other !== kind) await expectNotFound(mock, [operation], { [kind]: id });
      }
    }
    await expectUnchanged(mock);
  });

  test('E-7 every operation returns 404 for an ID that is the name of a built-in property', async () => {
    const mock = serve();
    for (const operation of onRecords) {
      for (const id of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
        await expectNotFound(mock, [operation], { [recordParameter(operation) as string]: id });
      }
    }
    await expectUnchanged(mock);
  });

  test('P-2, G-8, E-7 every operation returns 404 for a deleted project and its boards and tickets', async () => {
    const mock = serve();
    await call(mock, 'projects.delete');
    await expectNotFound(mock, [...on('project'), ...on('board'), ...on('ticket')]);
  });

  test('G-8, E-7 every operation returns 404 for a deleted board, ticket, or document', async () => {
    for (const kind of ['board', 'ticket', 'document'] as const) {
      const mock = serve();
      await call(mock, `${kind}s.delete`);
      await expectNotFound(mock, on(kind));
    }
  });

  test("C-3 a request for another organization's record returns 403, or 404 after the record is deleted", async () => {
    const mock = serve();
    const ids = { ticket: 'tkt_other', project: 'prj_other', document: 'doc_other' };
    for (const kind of ['ticket', 'document', 'project'] as const) {
      expectError(await call(mock, `${kind}s.get`, { ids }), 'wrong_organization', undefined, kind);
      await call(mock, `${kind}s.delete`, { ids, token: 'wt_other' });
      expectError(await call(mock, `${kind}s.get`, { ids }), 'not_found', undefined, kind);
    }
  });
});

describe('unknown paths and methods', () => {
  test('E-3 an unknown path returns 404 with or without a credential', async () => {
    const mock = serve();
    const paths = ['/', '/nothing', '/projects', '/projects/prj_apollo/nothing', '/tickets/tkt_a/move/again'];
    for (const path of paths) {
      expectError(await rawApi(mock).get(path), 'not_found', undefined, path);
      expectError(await rawApi(mock, null).get(path), 'not_found', undefined, path);
    }
    expect((await mock.fetch(`${origin}/api/v2/organizations/org_acme`)).status).toBe(404);
  });

  test('E-3 a path with invalid percent-encoding returns 404', async () => {
    expectError(await rawApi(serve()).get('/tickets/%E0%A4%A'), 'not_found');
  });

  test('E-3, P-5 every path rejects unsupported methods with 405 and lists the supported methods in Allow', async () => {
    const mock = serve();
    for (const path of new Set(everyOperation.map((id) => operations[id].path))) {
      const allowed: string[] = everyOperation
        .filter((id) => operations[id].path === path)
        .map((id) => operations[id].method);
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        if (allowed.includes(method)) continue;
        const response = await rawApi(mock).send(method, pathOf(path));
        expectError(response, 'method_not_allowed', undefined, `${method} ${path}`);
        const listed = (response.headers.get('allow') ?? '').split(/\s*,\s*/);
        expect(listed, `${method} ${path}`).toEqual(expect.arrayContaining(allowed));
        expect(listed, `${method} ${path}`).not.toContain(method);
      }
    }
    await expectUnchanged(mock);
  });
});
