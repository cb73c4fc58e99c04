import { expect, test } from 'vitest';
import { createMockServer } from 'worktrack/mock-server';
import { commandLine } from './support/run.js';

const hostile = 'a\u001b[2Jb\u009b31mc\u0007d\u007fe\u202ef\u2066g\rh';
// biome-ignore lint/suspicious/noControlCharactersInRegex: The test looks for control characters.
const unsafe = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

test.each([
  ['tables', true, ['projects', 'list']],
  ['records', true, ['documents', 'get', 'prj_1']],
  ['JSON in a terminal', true, ['projects', 'list', '--json']],
  ['JSON in a pipe', false, ['documents', 'get', 'prj_1']],
])('the CLI strips or escapes control characters in %s', async (_, terminal, words) => {
  const project = {
    id: 'prj_1',
    organization_id: 'org_1',
    name: hostile,
    key: 'A',
    description: null,
    archived_at: null,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    editors: [],
    tags: [],
    [hostile]: hostile,
  };
  const data = words.includes('list') ? [project] : project;
  const client = { token: 'wt', fetch: async () => Response.json({ data }) };
  const { code, output } = await commandLine({ terminal, client }).run(...words);
  expect(code).toBe(0);
  expect(output).not.toMatch(unsafe);
  // JSON output escapes control characters, so parsing it returns the original data.
  if (!terminal || words.includes('--json')) expect(JSON.parse(output)).toEqual(data);
});

test('the CLI strips control characters from error messages', async () => {
  const mock = createMockServer();
  mock.override('projects.list', () => Response.json({ message: hostile, code: hostile }, { status: 422 }));
  const { code, errors } = await commandLine({ mock, terminal: true }).run('projects', 'list');
  expect(code).toBe(5);
  expect(errors).toContain('[2Jb');
  expect(errors).not.toMatch(unsafe);
});

test.each([
  [401, 3],
  [403, 3],
  [404, 4],
  [409, 1],
  [422, 5],
  [429, 6],
  [500, 6],
  [503, 6],
])('after a %i response, the CLI exits with code %i', async (status, exitCode) => {
  const mock = createMockServer();
  mock.override('projects.create', () => Response.json({ message: 'No.' }, { status }));
  const client = { ...mock.clientOptions(), fetch: mock.fetch, retry: 0 };
  const { run } = commandLine({ mock, client });
  expect(await run('projects', 'create', '--name', 'Apollo', '--key', 'APO')).toMatchObject({
    code: exitCode,
    output: '',
  });
});

test("the CLI prints a single warning if a response doesn't match the contract", async () => {
  const client = { token: 'wt', fetch: async () => Response.json({ data: { id: hostile } }) };
  const { code, errors } = await commandLine({ terminal: true, client }).run('documents', 'get', 'doc_1');
  expect(code).toBe(0);
  expect(errors).toMatch(/^worktrack: documents\.get: .*organization_id is required/);
  expect(errors).not.toMatch(unsafe);
});
