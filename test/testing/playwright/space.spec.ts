import { expect, test } from 'worktrack/testing/playwright';

// ../playwright.test.ts runs this file and checks the attachment of the failed test.

const hosts = new Set<string>();

test.describe('the fixtures', () => {
  for (const turn of ['first', 'second']) {
    test(`give the ${turn} test its own space`, async ({ client, space, baseUrl, spaceHost }) => {
      hosts.add(spaceHost.url);
      expect(hosts.size).toBe(1);
      expect(baseUrl).toBe(space.baseUrl);
      expect(await client.projects.list()).toEqual([]);
      await client.projects.create({ name: 'Apollo', key: 'APO' });
      expect(await space.admin('GET /requests?operation=projects.create')).toHaveLength(1);
    });
  }

  test('create clients with additional credentials', async ({ client, clientWith }) => {
    const project = await client.projects.create({ name: 'Apollo', key: 'APO' });
    const reader = await clientWith({ name: 'Reader', scopes: ['projects:read'] });

    expect((await reader.projects.get(project.id)).key).toBe('APO');
    await expect(reader.projects.delete(project.id)).rejects.toMatchObject({ status: 403 });
    await (await clientWith()).projects.delete(project.id);
  });

  test('call the admin routes with space.admin', async ({ client, space }) => {
    await space.admin('POST /faults', {
      operation: 'organization.get',
      status: 503,
      retryAfter: 0,
      times: 1,
    });
    await client.organization.get();

    expect(await space.admin('GET /requests')).toMatchObject([{ status: 503 }, { status: 200 }]);
    await expect(space.admin('POST /faults', { operaton: 'tickets.move' })).rejects.toThrow('operation');
  });
});

test.describe('the fixtures with custom options', () => {
  test.use({
    mockOptions: {
      now: '2027-01-01T00:00:00Z',
      world: { organizations: [{ id: 'org_acme', name: 'Acme', credentials: [{ token: 'wt' }] }] },
    },
  });

  test('use the seed data in mockOptions', async ({ client, space }) => {
    expect((await client.organization.get()).name).toBe('Acme');
    expect(await space.admin('GET /clock')).toMatchObject({ now: '2027-01-01T00:00:00.000Z' });
  });
});

test('the matchers wait for requests', async ({ client, space }) => {
  await expect(space).not.toHaveReceived('projects.create');
  const created = client.projects.create({ name: 'Apollo', key: 'APO' });
  await expect(space).toHaveReceived('projects.create', { body: { key: /^A/ }, status: 201 });
  await created;

  await expect(space).toHaveReceivedTimes('projects.create', 1);
  await expect(space).toHaveUsedScopes(['projects:write']);
  const impatient = expect.configure({ timeout: 100 });
  await expect(impatient(space).toHaveReceived('projects.create', { body: { key: 'ZEU' } })).rejects.toThrow(
    'body.key: expected "ZEU", got "APO"',
  );
  // @ts-expect-error The field name has a typo.
  const typo = expect(space).not.toHaveReceived('projects.create', { body: { nam: 'Apollo' } });
  await expect(typo).rejects.toThrow('did you mean "body.name"?');
});

test('an unhandled request', async ({ space }) => {
  await fetch(`${space.baseUrl}/api/v1/tickts`);
});

test.describe('with unhandled requests allowed', () => {
  test.use({ mockOptions: { unhandled: 'respond' } });

  test('an unhandled request is allowed', async ({ space }) => {
    expect((await fetch(`${space.baseUrl}/api/v1/tickts`)).status).toBe(404);
  });
});

test('a failed test', async ({ client }) => {
  await client.projects.create({ name: 'Apollo', key: 'APO' });
  expect('this test').toBe('failed');
});
