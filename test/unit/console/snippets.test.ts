import { describe, expect, test } from 'vitest';
import { Worktrack } from 'worktrack';
import { createMockServer, type OrganizationSeed, type World } from 'worktrack/mock-server';
import type { JournalEntry } from '../../../addons/console/app/server/admin-api.js';
import {
  toCurl,
  toFailingTest,
  toSdkCall,
  toVitestTest,
} from '../../../addons/console/app/snippets/snippets.js';
import { apolloWorld } from '../../../docs/.vitepress/content/world.js';

/** Sends requests and returns the last request's journal entry as JSON. */
async function entryOf(call: (client: Worktrack) => Promise<unknown>, fault = {}): Promise<JournalEntry> {
  const mock = createMockServer({ world: apolloWorld });
  if (Object.keys(fault).length > 0) mock.faults.add(fault);
  const client = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch, retry: { limit: 0 } });
  await call(client).catch(() => {});
  return JSON.parse(JSON.stringify(mock.requests.last()));
}

const move = () =>
  entryOf((client) => client.tickets.move('tkt_radio', { board_id: 'brd_doing', position: 0 }));
const rejected = () => entryOf((client) => client.tickets.get("tkt_o'hara"));

describe('snippets', () => {
  test('toCurl reads the token from an environment variable', async () => {
    expect(
      toCurl(await move()),
    ).toBe(`curl -i --globoff -X POST "$WORKTRACK_BASE_URL"'/api/v1/tickets/tkt_radio/move' \\
  -H "Authorization: Bearer $WORKTRACK_TOKEN" \\
  -H 'Content-Type: application/json' \\
  --data-raw '{"board_id":"brd_doing","position":0}'`);
  });

  test('toSdkCall returns a client call', async () => {
    expect(toSdkCall(await move())).toContain(
      "await client.tickets.move('tkt_radio', { board_id: 'brd_doing', position: 0 })",
    );
    const list = await entryOf((client) =>
      client.tickets.list('prj_apollo', { q: 'radio' }).toArray({ limit: 1 }),
    );
    expect(toSdkCall(list)).toMatch(/client\.tickets\.list\('prj_apollo', \{ q: 'radio'/);
    const organization = await entryOf((client) => client.projects.create({ name: 'Gemini', key: 'GEM' }));
    expect(toSdkCall(organization)).toContain("client.projects.create({ name: 'Gemini', key: 'GEM' })");
  });

  test("toSdkCall and toVitestTest return undefined if a request doesn't match any operation", async () => {
    const entry = {
      id: 'req_1',
      method: 'GET',
      url: 'http://x.test/other',
      status: 404,
      at: '',
      duration: 0,
    };
    expect([toSdkCall(entry), toVitestTest(entry)]).toEqual([undefined, undefined]);
    expect(toCurl(entry)).toContain("'/other'");
  });

  test('never contain a token', async () => {
    for (const entry of [await move(), await rejected()]) {
      expect([toCurl(entry), toSdkCall(entry), toVitestTest(entry)].join()).not.toContain('wt_example');
    }
  });
});

describe('toVitestTest', () => {
  test('imports the world in a way that Node.js and TypeScript accept', async () => {
    expect(toVitestTest(await move())).toContain("import world from './world.json' with { type: 'json' };\n");
  });

  test.each([
    ['a successful request', move],
    ['a rejected request', rejected],
    [
      'a list',
      () => entryOf((client) => client.tickets.list('prj_apollo', { q: 'radio' }).toArray({ limit: 1 })),
    ],
    ['a fault', () => entryOf((client) => client.organization.get(), { status: 503 })],
    ['a broken connection', () => entryOf((client) => client.organization.get(), { error: 'response_lost' })],
  ])('returns a passing test for %s', async (_, read) => {
    await run(toVitestTest(await read()) ?? '');
  });
});

test('toFailingTest returns a test that fails until the request succeeds', async () => {
  const scopes: World = structuredClone(apolloWorld);
  const [{ credentials = [] }] = scopes.organizations as [OrganizationSeed];
  for (const credential of credentials) credential.scopes = ['projects:read'];
  const mock = createMockServer({ world: scopes });
  const client = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });
  await client.tickets.move('tkt_radio', { board_id: 'brd_doing' }).catch(() => {});
  const code = toFailingTest(JSON.parse(JSON.stringify(mock.requests.last()))) ?? '';

  expect(code).toContain("the request failed: 'missing_scope'");
  await expect(run(code, scopes)).rejects.toMatchObject({ code: 'missing_scope' });
  await run(code, apolloWorld);
});

/** Runs a test snippet's body with its imports in scope. */
async function run(code: string, world: World = apolloWorld): Promise<void> {
  const [, body = ''] = /^test\(.*, async \(\) => \{\n(.*)\n\}\);\n$/ms.exec(code) ?? [];
  expect(body).not.toBe('');
  const names = { expect, Worktrack, createMockServer, world };
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  await new AsyncFunction(...Object.keys(names), body)(...Object.values(names));
}
