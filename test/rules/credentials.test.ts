import { describe, expect, test } from 'vitest';
import { everyOperation, everyScope, operations } from '../support/operations.js';
import { expectUnchanged } from './expect-unchanged.js';
import { expectError } from './expectations.js';
import { call, foreign, onRecords, pathOf, rawApi } from './requests.js';
import { serve } from './world.js';

const onOrganizations = everyOperation.filter((id) => operations[id].path.startsWith('/organizations/'));

describe('credentials', () => {
  test('G-5, E-4, C-2 every operation returns 401 for a missing or unknown credential', async () => {
    const mock = serve();
    for (const id of everyOperation) {
      for (const token of [null, 'wt_nobody']) {
        expectError(await call(mock, id, { token }), 'invalid_credential', undefined, `${id} ${token}`);
      }
    }
    await expectUnchanged(mock);
  });

  test('E-4, C-1 every operation returns 401 if the credential has the wrong scheme', async () => {
    const mock = serve();
    const api = rawApi(mock, null);
    const schemes = ['Basic wt_acme', 'Token wt_acme', 'wt_acme', 'Bearer', 'Bearer ', 'Bearerwt_acme'];
    for (const id of everyOperation) {
      const { method, path, example } = operations[id];
      for (const authorization of schemes) {
        const response = await api.send(method, pathOf(path), example, { authorization });
        expectError(response, 'invalid_credential', undefined, `${id} ${authorization}`);
      }
    }
    await expectUnchanged(mock);
  });

  test('C-1 the scheme is case-insensitive, but the token is case-sensitive', async () => {
    const api = rawApi(serve(), null);
    const send = (authorization: string) =>
      api.send('GET', '/organizations/org_acme', undefined, { authorization });
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
      expect((await send(`${scheme} wt_acme`)).status, scheme).toBe(200);
    }
    expectError(await send('Bearer WT_ACME'), 'invalid_credential');
  });

  test('G-6, E-5, C-2 every operation returns 403 if the credential lacks the required scope', async () => {
    const mock = serve();
    for (const id of everyOperation) {
      const { scope } = operations[id];
      const others = everyScope.filter((other) => other !== scope).map((other) => `wt_only_${other}`);
      for (const token of [`wt_without_${scope}`, ...others]) {
        expectError(await call(mock, id, { token }), 'missing_scope', undefined, `${id} ${token}`);
      }
    }
    await expectUnchanged(mock);
  });

  test("G-7, E-6, C-3 every operation returns 403 for another organization, even one that doesn't exist", async () => {
    const mock = serve();
    for (const id of onOrganizations) {
      for (const organization of ['org_other', 'org_nobody']) {
        const response = await call(mock, id, { ids: { organization } });
        expectError(response, 'wrong_organization', undefined, `${id} ${organization}`);
      }
    }
    await expectUnchanged(mock);
  });

  test("G-7, E-6, C-3 every operation returns 403 for another organization's record", async () => {
    const mock = serve();
    for (const id of onRecords) {
      expectError(await call(mock, id, { ids: foreign }), 'wrong_organization', undefined, id);
      expectError(await call(mock, id, { token: 'wt_other' }), 'wrong_organization', undefined, id);
    }
    await expectUnchanged(mock);
  });

  test("E-6 the error response for another organization's record reveals nothing about the record", async () => {
    const response = await call(serve(), 'tickets.get', { ids: foreign });
    expect(JSON.stringify(response.body)).not.toMatch(/Plan|Secret|org_other|prj_other/);
  });

  test('A-1, C-20 the credential is the creator or author of a new ticket, document, or comment', async () => {
    const mock = serve();
    const actor = { type: 'api_credential', id: 'crd_ci', name: 'CI bot' };
    const ticket = await call(mock, 'tickets.create');
    expect(ticket.data).toMatchObject({ creator: actor, api_credential_id: 'crd_ci' });
    const document = await call(mock, 'documents.create');
    expect(document.data).toMatchObject({ author: actor, author_id: null, api_credential_id: 'crd_ci' });
    const [onTicket, onDocument] = [
      await call(mock, 'tickets.comments.create'),
      await call(mock, 'documents.comments.create'),
    ];
    expect([onTicket.data.author, onDocument.data.author]).toEqual([actor, actor]);
  });
});
