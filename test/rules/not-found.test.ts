import { describe, expect, test } from 'vitest';
import type { OperationId } from 'worktrack/contract';
import { everyOperation, operations } from '../support/operations.js';
import { expectUnchanged, readable } from './expect-unchanged.js';
import { expectError } from './expectations.js';
import { call, onRecords, origin, own, pathOf, rawApi, recordParameter, unknown } from './requests.js';
import { type Mock, serve } from './world.js';

const on = (kind: keyof typeof own) => everyOperation.filter((id) => recordParameter(id) === kind);

async function expectNotFound(mock: Mock, operations: readonly OperationId[], ids = {}): Promise<void> {
  for (const id of operations) {
    expectError(await call(mock, id, { ids }), 'not_found', undefined, `${id} ${JSON.stringify(ids)}`);
  }
}

describe('missing records', () => {
  test('E-7, C-3 every operation returns 404 for an ID that is unknown, has the wrong record type, or is the name of a built-in property', async () => {
    const mock = serve();
    const properties = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
    for (const operation of onRecords) {
      const kind = recordParameter(operation) as keyof typeof own;
      const { [kind]: _, ...others } = own;
      for (const id of [unknown[kind], ...Object.values(others), ...properties]) {
        await expectNotFound(mock, [operation], { [kind]: id });
      }
    }
    await expectUnchanged(mock);
  });

  test('G-8, P-2, E-7 a deleted record, or one in a deleted project, returns 404 and is removed from all responses', async () => {
    for (const kind of ['project', 'board', 'ticket', 'document'] as const) {
      const mock = serve();
      const { status, body } = await call(mock, `${kind}s.delete`);
      expect([status, body], kind).toEqual([204, undefined]);
      const children = kind === 'project' ? ([...on('board'), ...on('ticket')] as const) : [];
      await expectNotFound(mock, [...on(kind), ...children]);
      const seen = JSON.stringify(await readable(mock));
      expect(seen).not.toContain(`"id":"${own[kind]}"`);
      if (kind === 'project') expect(seen).not.toMatch(/tkt_a|brd_todo/);
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
  test('E-3 an unknown or invalid path returns 404 with or without a credential', async () => {
    const mock = serve();
    const unknownPaths = [
      '/',
      '/nothing',
      '/projects',
      '/projects/prj_apollo/nothing',
      '/tickets/tkt_a/move/again',
    ];
    const invalidPaths = ['/tickets/', '/projects//tickets', '/tickets/%zz', '/tickets/%E0%A4%A'];
    for (const path of [...unknownPaths, ...invalidPaths]) {
      for (const token of ['wt_acme', null]) {
        const response = await rawApi(mock, token).get(path);
        expectError(response, 'not_found', undefined, path);
        expect(response.body.message).toContain('No operation matches GET');
      }
    }
    expect((await mock.fetch(`${origin}/api/v2/organizations/org_acme`)).status).toBe(404);
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
