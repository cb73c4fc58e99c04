import { test as base, describe, expect } from 'vitest';
import { fixtures, matchers, type WorktrackMatchers } from 'worktrack/testing';

declare module 'vitest' {
  interface Matchers<T> extends WorktrackMatchers<T> {}
}

expect.extend(matchers);
const test = base.extend(fixtures);

describe('fixtures', () => {
  test('the fixtures provide a new server and client for each test', async ({ mock, client }) => {
    const project = await client.projects.create({ name: 'Apollo', key: 'APO' });

    expect(mock.state.projects.all()).toEqual([project]);
  });

  test('clientWith creates clients with additional credentials', async ({ client, clientWith }) => {
    const project = await client.projects.create({ name: 'Apollo', key: 'APO' });
    const reader = clientWith({ name: 'Reader', scopes: ['projects:read'] });

    expect((await reader.projects.get(project.id)).key).toBe('APO');
    await expect(reader.projects.delete(project.id)).rejects.toMatchObject({ status: 403 });
    await clientWith().projects.delete(project.id);
  });

  describe('with mockOptions', () => {
    test.override({
      mockOptions: {
        world: { organizations: [{ id: 'org_acme', name: 'Acme', credentials: [{ token: 'wt' }] }] },
      },
    });

    test('the fixtures create the server with the given mockOptions', async ({ client }) => {
      expect((await client.organization.get()).name).toBe('Acme');
    });
  });
});

describe('matchers', () => {
  test('toHaveReceived shows the most similar request if no request matches', async ({ mock, client }) => {
    expect(mock).not.toHaveReceived('projects.create');
    await client.projects.create({ name: 'Apollo', key: 'APO' });

    expect(mock).toHaveReceived('projects.create');
    expect(mock).toHaveReceived('projects.create', {
      body: { key: expect.stringMatching(/^A/) },
      status: 201,
    });
    expect(() => expect(mock).toHaveReceived('projects.create', { body: { key: 'ZEU' } })).toThrow(
      'body.key: expected "ZEU", got "APO"',
    );
    expect(() => expect(mock).not.toHaveReceived('projects.create')).toThrow(
      'Expected no projects.create request, but received 1',
    );
  });

  test('toHaveReceivedTimes counts matching requests', async ({ mock, client }) => {
    await client.projects.list();
    await client.projects.list();

    expect(mock).toHaveReceivedTimes('projects.list', 2);
    expect(mock).toHaveReceivedTimes('projects.list', 0, { status: 403 });
    expect(() => expect(mock).toHaveReceivedTimes('projects.list', 1)).toThrow(
      'Expected 1 projects.list requests, but received 2.',
    );
    expect(() => expect(mock).not.toHaveReceivedTimes('projects.list', 2)).toThrow('not to be 2');
  });

  test('toHaveUsedScopes lists missing and unexpected scopes', async ({ mock, client }) => {
    await client.projects.list();
    await client.documents.list();

    expect(mock).toHaveUsedScopes(['documents:read', 'projects:read']);
    expect(() => expect(mock).toHaveUsedScopes(['projects:read', 'tickets:read'])).toThrow(
      'not needed: tickets:read; also needed: documents:read',
    );
    expect(() => expect(mock).not.toHaveUsedScopes(['documents:read', 'projects:read'])).toThrow(
      'not to need exactly',
    );
  });

  test('the matchers reject a value that is not a mock server', ({ client }) => {
    const message = 'pass the mock server to expect(), as in expect(mock)';
    for (const value of [client, undefined]) {
      expect(() => expect(value).toHaveReceived('projects.list')).toThrow(message);
      expect(() => expect(value).toHaveReceivedTimes('projects.list', 1)).toThrow(message);
      expect(() => expect(value).toHaveUsedScopes([])).toThrow(message);
    }
  });
});
