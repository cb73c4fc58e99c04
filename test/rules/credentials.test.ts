import { describe, expect, test } from 'vitest';
import { endpoints, everyOperation } from '../contract/endpoints.js';
import { everyScope, scopeTable } from '../contract/scopes.js';
import { bodies, call, foreign, pathOf, recordParameter } from './requests.js';
import { expectRefusal, wire } from './support.js';
import { expectUnchanged } from './unchanged.js';
import { serve } from './world.js';

const organizationPaths = everyOperation.filter((id) => endpoints[id].path.startsWith('/organizations/'));
const recordPaths = everyOperation.filter((id) => recordParameter(id));

describe('credentials', () => {
  test.each(everyOperation)('%s refuses a request without a credential (401)', async (operation) => {
    const mock = serve();
    expectRefusal(await call(mock, operation, { token: null }), 'invalid_credential');
    await expectUnchanged(mock);
  });

  test.each(everyOperation)('%s refuses an unknown token (401)', async (operation) => {
    expectRefusal(await call(serve(), operation, { token: 'wt_nobody' }), 'invalid_credential');
  });

  test.each(everyOperation)('%s refuses a credential under another scheme (401)', async (operation) => {
    const api = wire(serve(), null);
    const { method, path } = endpoints[operation];
    for (const authorization of [
      'Basic wt_acme',
      'Token wt_acme',
      'wt_acme',
      'Bearer',
      'Bearer ',
      'Bearerwt_acme',
    ]) {
      const answer = await api.send(method, pathOf(path), bodies[operation], { authorization });
      expectRefusal(answer, 'invalid_credential');
    }
  });

  test('the scheme is compared without regard to case, the token with', async () => {
    const api = wire(serve(), null);
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
      const answer = await api.send('GET', '/organizations/org_acme', undefined, {
        authorization: `${scheme} wt_acme`,
      });
      expect(answer.status).toBe(200);
    }
    const shouted = await api.send('GET', '/organizations/org_acme', undefined, {
      authorization: 'Bearer WT_ACME',
    });
    expectRefusal(shouted, 'invalid_credential');
  });

  test.each(everyOperation)(
    '%s needs its scope: all twelve others are not enough (403)',
    async (operation) => {
      const mock = serve();
      const token = `wt_without_${endpoints[operation].scope}`;
      expectRefusal(await call(mock, operation, { token }), 'missing_scope');
      await expectUnchanged(mock);
    },
  );

  test.each(everyOperation)('%s needs no other scope than its own', async (operation) => {
    const answer = await call(serve(), operation, { token: `wt_only_${endpoints[operation].scope}` });
    expect(answer.status).toBe(endpoints[operation].success);
  });

  test.each(everyScope)('the scope %s opens the operations of its row and no other', async (scope) => {
    const opened: number[] = [];
    for (const operation of everyOperation) {
      const { status, body } = await call(serve(), operation, { token: `wt_only_${scope}` });
      if (status < 300) opened.push(endpoints[operation].number);
      else expect({ operation, code: body.code }).toEqual({ operation, code: 'missing_scope' });
    }
    expect(opened.sort((a, b) => a - b)).toEqual(scopeTable[scope]);
  });

  test.each(organizationPaths)(
    '%s refuses another organization, whether or not it exists (403)',
    async (operation) => {
      const mock = serve();
      for (const organization of ['org_other', 'org_nobody']) {
        expectRefusal(await call(mock, operation, { ids: { organization } }), 'wrong_organization');
      }
      await expectUnchanged(mock);
    },
  );

  test.each(recordPaths)('%s refuses a live record of another organization (403)', async (operation) => {
    const mock = serve();
    expectRefusal(await call(mock, operation, { ids: foreign }), 'wrong_organization');
    expectRefusal(await call(mock, operation, { token: 'wt_other' }), 'wrong_organization');
    await expectUnchanged(mock);
  });

  test('a refusal for the organization tells nothing about the record', async () => {
    const answer = await call(serve(), 'tickets.get', { ids: foreign });
    expect(JSON.stringify(answer.body)).not.toMatch(/Plan|Secret|org_other|prj_other/);
  });

  test('a ticket and a document created with a credential name it as creator and author', async () => {
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

  test('a seed may name a user as creator and author, by id or by name', async () => {
    const mock = serve(
      { boards: [{ name: 'To do', tickets: [{ id: 'tkt_a', title: 'x', creator: 'usr_bob' }] }] },
      { documents: [{ id: 'doc_guide', title: 'x', author: 'Cat' }] },
    );
    expect((await call(mock, 'tickets.get')).data).toMatchObject({
      creator: { type: 'user', id: 'usr_bob', name: 'Bob' },
      api_credential_id: null,
    });
    expect((await call(mock, 'documents.get')).data).toMatchObject({
      author: { type: 'user', id: 'usr_cat', name: 'Cat' },
      author_id: 'usr_cat',
      api_credential_id: null,
    });
  });

  test('a seeded ticket and document have no creator and author unless the seed names one', async () => {
    const mock = serve();
    expect((await call(mock, 'tickets.get')).data).toMatchObject({ creator: null, api_credential_id: null });
    expect((await call(mock, 'documents.get')).data).toMatchObject({
      author: null,
      author_id: null,
      api_credential_id: null,
    });
  });
});
