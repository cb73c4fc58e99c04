import { describe, expect, test } from 'vitest';
import { checkEach } from '../support/check-each.js';
import { expectUnchanged } from './expect-unchanged.js';
import { expectError } from './expectations.js';
import { rawApi } from './requests.js';
import { now, serve } from './world.js';

const path = '/organizations/org_acme/notifications';
const news = { user_ids: ['usr_bob'], title: 'Release', body: 'It is out.' };

describe('notifications.send', () => {
  test('C-21, N-3 notifications.send returns the counts and one ID per recipient, ignoring duplicates', async () => {
    const user_ids = ['usr_bob', 'usr_cat', 'usr_bob', 'usr_bob'];
    const { status, data } = await rawApi(serve()).post(path, { ...news, user_ids });
    expect(status).toBe(201);
    expect(data.queued + data.sent).toBe(2);
    expect(data.notification_ids).toHaveLength(2);
    expect(new Set(data.notification_ids).size).toBe(2);
    for (const count of [data.queued, data.sent]) expect(count).toBeGreaterThanOrEqual(0);
  });

  test('G-3, N-3 notifications.send creates a notification for each recipient', async () => {
    const mock = serve();
    const url = '/app/releases';
    const first = await rawApi(mock).post(path, { ...news, url, user_ids: ['usr_bob', 'usr_cat'] });
    const second = await rawApi(mock).post(path, news);
    const sent = { organization_id: 'org_acme', title: 'Release', body: 'It is out.', created_at: now };
    const ids = [...first.data.notification_ids, ...second.data.notification_ids];
    expect(mock.state.notifications.all()).toEqual([
      { ...sent, id: ids[0], user_id: 'usr_bob', url },
      { ...sent, id: ids[1], user_id: 'usr_cat', url },
      { ...sent, id: ids[2], user_id: 'usr_bob', url: null },
    ]);
  });

  test("N-1, N-3, E-16 notifications.send rejects a recipient from outside the organization and doesn't notify anyone", async () => {
    const mock = serve();
    await checkEach(['usr_eve', 'usr_nobody', 'crd_ci', '__proto__', ''], async (id) => {
      const response = await rawApi(mock).post(path, { ...news, user_ids: ['usr_bob', id] });
      expectError(response, 'invalid_recipient');
      expect(Object.keys(response.body.errors).every((field) => field.startsWith('user_ids'))).toBe(true);
    });
    await expectUnchanged(mock);
  });

  test('N-2 notifications.send accepts a URL under /app', async () => {
    await checkEach(
      [
        '/app',
        '/app/',
        '/app/projects/1',
        '/app?tab=2',
        '/app#top',
        '/app/../app/x',
        '/app/%2e%2e/app/y',
        '/other/../app/x',
        '/app/a//b',
      ],
      async (url) => {
        expect((await rawApi(serve()).post(path, { ...news, url })).status).toBe(201);
      },
    );
  });

  test('N-2, E-16 notifications.send rejects a URL that browsers resolve to a path outside /app', async () => {
    const mock = serve();
    await checkEach(
      [
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
      ],
      async (url) => {
        expectError(await rawApi(mock).post(path, { ...news, url }), 'invalid_url', 'url');
      },
    );
    await expectUnchanged(mock);
  });
});
