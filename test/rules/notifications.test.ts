import { describe, expect, test } from 'vitest';
import { expectRefusal, wire } from './support.js';
import { expectUnchanged } from './unchanged.js';
import { now, serve } from './world.js';

const path = '/organizations/org_acme/notifications';
const news = { user_ids: ['usr_bob'], title: 'Release', body: 'It is out.' };

describe('notifications.send', () => {
  test('answers one id for each recipient, and counts that add up to them (201)', async () => {
    const { status, data } = await wire(serve()).post(path, { ...news, user_ids: ['usr_bob', 'usr_cat'] });
    expect(status).toBe(201);
    expect(data.queued + data.sent).toBe(2);
    expect(new Set(data.notification_ids).size).toBe(2);
    for (const count of [data.queued, data.sent]) expect(count).toBeGreaterThanOrEqual(0);
  });

  test('keeps one notification for each recipient, with what was sent', async () => {
    const mock = serve();
    const url = '/app/releases';
    const first = await wire(mock).post(path, { ...news, url, user_ids: ['usr_bob', 'usr_cat'] });
    const second = await wire(mock).post(path, news);
    const sent = { organization_id: 'org_acme', title: 'Release', body: 'It is out.', created_at: now };
    const ids = [...first.data.notification_ids, ...second.data.notification_ids];
    expect(mock.state.notifications.all()).toEqual([
      { ...sent, id: ids[0], user_id: 'usr_bob', url },
      { ...sent, id: ids[1], user_id: 'usr_cat', url },
      { ...sent, id: ids[2], user_id: 'usr_bob', url: null },
    ]);
  });

  test('a recipient named twice counts once', async () => {
    const user_ids = ['usr_bob', 'usr_cat', 'usr_bob', 'usr_bob'];
    const { data } = await wire(serve()).post(path, { ...news, user_ids });
    expect([data.notification_ids.length, data.queued + data.sent]).toEqual([2, 2]);
  });

  test('any user of the organization can be a recipient', async () => {
    const user_ids = ['usr_ada', 'usr_amy', 'usr_bob', 'usr_cat'];
    expect((await wire(serve()).post(path, { ...news, user_ids })).status).toBe(201);
  });

  test.each(['usr_eve', 'usr_nobody', 'crd_ci', '__proto__', ''])(
    'refuses the recipient %j, who is not in the organization (422), and notifies nobody',
    async (id) => {
      const mock = serve();
      const answer = await wire(mock).post(path, { ...news, user_ids: ['usr_bob', id] });
      expectRefusal(answer, 'invalid_recipient');
      expect(Object.keys(answer.body.errors).every((field) => field.startsWith('user_ids'))).toBe(true);
      await expectUnchanged(mock);
    },
  );

  test('refuses an empty list and more than 100 recipients, repeats included (422)', async () => {
    const api = wire(serve());
    const repeated = (length: number) => ({ ...news, user_ids: Array.from({ length }, () => 'usr_bob') });
    expectRefusal(await api.post(path, { ...news, user_ids: [] }), 'validation_failed', 'user_ids');
    expect((await api.post(path, repeated(100))).status).toBe(201);
    expectRefusal(await api.post(path, repeated(101)), 'validation_failed', 'user_ids');
  });

  test.each([
    '/app',
    '/app/',
    '/app/projects/1',
    '/app?tab=2',
    '/app#top',
    '/app/../app/x',
    '/app/%2e%2e/app/y',
    '/other/../app/x',
    '/app/a//b',
  ])('takes the url %s', async (url) => {
    expect((await wire(serve()).post(path, { ...news, url })).status).toBe(201);
  });

  test.each([
    '',
    '/',
    'app',
    'app/projects',
    '/application',
    '/App',
    '/apps/x',
    '/admin',
    '/app/../admin',
    '/app/..',
    '/app/%2e%2e/admin',
    '/app/.%2E/admin',
    '/app\\..\\..\\admin',
    '//evil.example/app',
    '/\\evil.example/app',
    '\\\\evil.example/app',
    '/\t/evil.example/app',
    '/\n/evil.example/app',
    'https://evil.example/app',
    'http://worktrack.test/app',
    'javascript:alert(1)',
    'javascript:/app',
    'data:text/html,/app',
    '?/app',
    '#/app',
  ])('refuses the url %j, which is no path under /app (422)', async (url) => {
    const mock = serve();
    expectRefusal(await wire(mock).post(path, { ...news, url }), 'invalid_url', 'url');
    await expectUnchanged(mock);
  });

  test('url may be null or left out', async () => {
    const api = wire(serve());
    expect((await api.post(path, { ...news, url: null })).status).toBe(201);
    expect((await api.post(path, news)).status).toBe(201);
  });
});
