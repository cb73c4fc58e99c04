import { execFileSync } from 'node:child_process';
import { lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type PullOptions, pull } from 'worktrack/jobs';
import { createMockServer, type World } from 'worktrack/mock-server';
import { connect } from '../support/clients.js';
import { posixTest } from '../support/platforms.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const key = 'a key for tests only';

const world: World = {
  organizations: [
    {
      name: 'Acme',
      users: [{ name: 'Ada', role: 'owner' }, { name: 'Bob' }],
      projects: [
        {
          name: 'Apollo',
          key: 'APO',
          members: ['Bob'],
          boards: [
            { name: 'To do', tickets: [{ title: 'Fuel valves', creator: 'Ada' }, { title: 'Seats' }] },
            { name: 'Done', is_done: true, tickets: [{ title: 'Paint' }] },
          ],
        },
        { name: 'Hermes', key: 'HER', boards: [{ name: 'Ideas', tickets: [{ title: 'Fly' }] }] },
      ],
      documents: [{ title: 'Runbook', project: 'APO' }],
    },
  ],
};

function start() {
  const mock = createMockServer({ world });
  return { mock, client: connect(mock) };
}

describe('pull with "output"', () => {
  test('writes the same file for the same data and key, and reports what it wrote', async () => {
    const { client } = start();
    const path = await temporaryFolder();
    const files = [1, 2, 3].map((number) => join(path, `${number}.json`)) as [string, string, string];
    const report = await pull(client, { output: files[0], key });
    await pull(connect(createMockServer({ world })), { output: files[1], key });
    await pull(client, { output: files[2] });
    const [first, second, third] = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    expect(second).toBe(first);
    expect(third).not.toBe(first);
    expect(report).toEqual({ projects: 2, boards: 3, tickets: 4, documents: 1, users: 2, leftOut: 0 });
    expect(JSON.parse(first as string)).toEqual(await pull(client, { key }));
    expect((await stat(files[0])).mode & 0o777).toBe(0o600);
    expect((await readdir(path)).sort()).toEqual(['1.json', '2.json', '3.json']);
  });

  test('writes a list of the missing data at the start of the file', async () => {
    const { client } = start();
    const { about } = await pull(client, { keep: ['titles'], sample: 10, projects: ['APO'] });
    expect(about).toMatchInlineSnapshot(`
      [
        "Pulled from a deployment with "worktrack pull".",
        "Contains some projects and their documents.",
        "Sample: at most 10 tickets and 10 documents.",
        "Missing, because the API doesn't return them: comments, notifications, tokens, deleted records, the history of changes, and users who aren't members of a project.",
        "Replaced: dates, ids, people, structure, texts.",
        "Not replaced: titles, colors, numbers.",
        "Credentials have made-up tokens.",
      ]
    `);
  });

  test.each(['fails', 'is aborted'])(
    "keeps the old file and doesn't leave a temporary file behind if it %s",
    async (end) => {
      const { mock } = start();
      const path = await temporaryFolder();
      const file = join(path, 'world.json');
      await pull(connect(mock), { output: file, key });
      const before = await readFile(file, 'utf8');
      const stop = new AbortController();
      const client = connect(mock, {
        retry: { limit: 0 },
        fetch: async (input, init) => {
          if (!String(input instanceof Request ? input.url : input).includes('/documents?'))
            return mock.fetch(input, init);
          if (end === 'is aborted') stop.abort();
          return new Response('{}', { status: 500 });
        },
      });
      await expect(pull(client, { output: file, signal: stop.signal })).rejects.toThrow('documents.list');
      expect(await readFile(file, 'utf8')).toBe(before);
      expect(await readdir(path)).toEqual(['world.json']);
    },
  );

  test.each([
    [{ keep: ['title'] }, 'option "keep" must be a list of: dates, ids, people'],
    [{ sample: 0 }, 'option "sample" must be a positive integer (got 0)'],
    [{ key: 'short' }, 'option "key" must be a string of at least 16 characters'],
    [{ projects: [] }, 'option "projects" must be a non-empty list of project IDs, keys, or names'],
    [{ project: ['APO'] }, 'unknown option "project"; did you mean "projects"?'],
    [{ projects: ['APPO'] }, '"APPO" is not a project; did you mean "APO"?'],
  ])('rejects %j', async (options, message) => {
    const { client } = start();
    const file = join(await temporaryFolder(), 'world.json');
    await expect(
      pull(client, { output: file, ...options } as PullOptions & { output: string }),
    ).rejects.toThrow(message);
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });

  posixTest("replaces a symbolic link's target", async () => {
    const { client } = start();
    const path = await temporaryFolder();
    const link = join(path, 'link.json');
    await mkdir(join(path, 'data'));
    await symlink(join('data', 'world.json'), link);
    for (const content of ['missing', 'old']) {
      if (content === 'old') await writeFile(join(path, 'data', 'world.json'), content);
      await pull(client, { output: link });
      expect((await lstat(link)).isSymbolicLink()).toBe(true);
      expect(JSON.parse(await readFile(link, 'utf8'))).toHaveProperty('organizations');
      expect([await readdir(path), await readdir(join(path, 'data'))]).toEqual([
        ['data', 'link.json'],
        ['world.json'],
      ]);
    }
  });

  posixTest('rejects a pipe and a link to a pipe before sending a request', async () => {
    const { mock, client } = start();
    const path = await temporaryFolder();
    execFileSync('mkfifo', [join(path, 'pipe')]);
    await symlink('pipe', join(path, 'link'));
    for (const name of ['pipe', 'link']) {
      await expect(pull(client, { output: join(path, name) })).rejects.toThrow(
        `${name} is a pipe, device, or socket; pass the path to a regular file`,
      );
    }
    expect((await lstat(join(path, 'pipe'))).isFIFO()).toBe(true);
    expect(mock.requests).toHaveLength(0);
  });

  test("doesn't create a file until all data has been read", async () => {
    const { mock } = start();
    const path = await temporaryFolder();
    const file = join(path, 'world.json');
    const files: string[][] = [];
    const client = connect(mock, {
      fetch: async (input, init) => {
        files.push(await readdir(path));
        return mock.fetch(input, init);
      },
    });
    await pull(client, { output: file });
    // On Windows, the folder also contains the temporary file with the records.
    if (process.platform !== 'win32') expect(new Set(files.flat())).toEqual(new Set());
    expect(await readdir(path)).toEqual(['world.json']);
  });

  test.each([
    ['an empty path', '', 'option "output" must be a non-empty path (got "")'],
    ['a folder', 'FOLDER', 'is a folder'],
    ['a missing folder', 'FOLDER/a/b.json', 'ENOENT'],
  ])('rejects %s before sending a request', async (_, path, message) => {
    const { mock, client } = start();
    const file = path.replace('FOLDER', await temporaryFolder());
    await expect(pull(client, { output: file })).rejects.toThrow(message);
    expect(mock.requests).toHaveLength(0);
  });
});
