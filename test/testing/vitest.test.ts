import { describe, onTestFinished, vi } from 'vitest';
import { Worktrack } from 'worktrack';
import { withFixtures } from 'worktrack/testing/node';
import { expect, test } from 'worktrack/testing/vitest';

describe('the fixtures', () => {
  test('provide a new server and client for each test', async ({ mock, client }) => {
    const project = await client.projects.create({ name: 'Apollo', key: 'APO' });

    expect(mock.state.projects.all()).toEqual([project]);
  });

  test('create clients with additional credentials', async ({ client, clientWith }) => {
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

    test('create the server with those options', async ({ client }) => {
      expect((await client.organization.get()).name).toBe('Acme');
    });
  });
});

describe('an unhandled request', () => {
  const call = (client: Worktrack) => client.raw('GET', '/tickts');

  test('withFixtures rejects a call without a test function', () => {
    expect(() => withFixtures({ unhandled: 'respond' }, undefined as never)).toThrow(
      'withFixtures: pass the test function as the last argument',
    );
  });

  test("isn't retried, and fails the test even if the error is ignored", async () => {
    const run = withFixtures(async ({ mock, client }) => {
      await expect(call(client)).rejects.toMatchObject({ code: 'connection', attempts: 1 });
      expect(mock.requests.length).toBe(1);
    });

    await expect(run()).rejects.toThrow(
      /^Expected no unhandled requests, but received 1:\n.*\n.*Did you mean GET .*\(tickets\.list\)\?$/,
    );
  });

  test("gets a 404 response if the `unhandled` option is 'respond'", async () => {
    await withFixtures({ unhandled: 'respond' }, async ({ client }) => {
      await expect(call(client)).rejects.toMatchObject({ status: 404 });
    })();
  });

  test.fails('fails the test when the fixtures are torn down', async ({ client }) => {
    await call(client).catch(() => {});
  });
});

test('withFixtures passes the remaining arguments to the test function', async () => {
  const run = withFixtures(({ client }, row: number, extra?: string) => {
    expect([client instanceof Worktrack, row, extra]).toEqual([true, 1, 'a']);
  });

  expect(run).toHaveLength(0);
  await run(1, 'a');
});

test('the fixtures print one warning if WORKTRACK_BASE_URL points to a deployment', async () => {
  vi.resetModules();
  vi.stubEnv('WORKTRACK_BASE_URL', 'https://work.example.com');
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  onTestFinished(() => void vi.unstubAllEnvs());
  const { withFixtures } = await import('worktrack/testing/node');

  await withFixtures(() => {})();
  await withFixtures(() => {})();

  expect(warn.mock.calls).toEqual([
    [expect.stringMatching(/WORKTRACK_BASE_URL is https:\/\/work\.example\.com\..*Unset the variable/)],
  ]);
});

describe('the matchers', () => {
  test('show the most similar request if no request matches toHaveReceived', async ({ mock, client }) => {
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

  test('count the matching requests for toHaveReceivedTimes', async ({ mock, client }) => {
    await client.projects.list();
    await client.projects.list();

    expect(mock).toHaveReceivedTimes('projects.list', 2);
    expect(mock).toHaveReceivedTimes('projects.list', 0, { status: 403 });
    expect(() => expect(mock).toHaveReceivedTimes('projects.list', 1)).toThrow(
      'Expected 1 projects.list request, but received 2.',
    );
    expect(() => expect(mock).not.toHaveReceivedTimes('projects.list', 2)).toThrow('not to be 2');
  });

  test('name the missing and unexpected scopes if toHaveUsedScopes fails', async ({ mock, client }) => {
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

  test('reject typos that would otherwise make a negated assertion pass', ({ mock }) => {
    const not = expect(mock).not;

    // @ts-expect-error The field name has a typo.
    expect(() => not.toHaveReceived('tickets.create', { body: { titel: 'Launch' } })).toThrow(
      '"body.title"?',
    );
    // @ts-expect-error The field name has a typo.
    expect(() => not.toHaveReceivedTimes('tickets.get', 1, { params: { id: 'x' } })).toThrow('"params.id"');
    // @ts-expect-error The number of requests is missing.
    expect(() => not.toHaveReceivedTimes('tickets.get', { status: 200 })).toThrow('(got {"status":200})');
    // @ts-expect-error The scope has a typo.
    expect(() => not.toHaveUsedScopes(['ticket:read'])).toThrow('did you mean "tickets:read"?');
  });

  test("reject a value that isn't a mock server", ({ client }) => {
    const message = 'pass the mock server to expect(), as in expect(mock)';
    for (const value of [client, undefined]) {
      expect(() => expect(value).toHaveReceived('projects.list')).toThrow(message);
      expect(() => expect(value).toHaveReceivedTimes('projects.list', 1)).toThrow(message);
      expect(() => expect(value).toHaveUsedScopes([])).toThrow(message);
    }
  });
});
