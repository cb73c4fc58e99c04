import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { decode } from '@jridgewell/sourcemap-codec';
import { expect, inject, test } from 'vitest';
import { root } from '../../tools/entries.js';
import { project } from './support/project.js';

const files = inject('packedFiles').map(({ path }) => path);
const installed = (path: string) => join(inject('home'), 'node_modules/worktrack', path);

test('the tarball contains only the build, its sources, the documentation, the OpenAPI document, the JSON Schema, and the licenses', () => {
  const built = /^dist\/(console\/|docs\/|(openapi|world\.schema)\.json$|[\w-]+\.(js|js\.map|d\.ts)$)/;
  const source = /^(src|mock-server|testing)\/[\w/-]+\.ts$/;
  const others = files.filter((path) => !built.test(path) && !source.test(path)).sort();
  expect(others).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'THIRD-PARTY-LICENSES.md',
    'llms.txt',
    'package.json',
  ]);
});

test('llms.txt lists every page of the documentation in the tarball, and all links work', () => {
  const pages = files.filter((path) => path.startsWith('dist/docs/'));
  const index = readFileSync(installed('llms.txt'), 'utf8');
  const listed = [...index.matchAll(/\]\((dist\/docs\/[^)]+)\)/g)].map(([, path]) => path);
  expect(listed.sort()).toEqual([...pages].sort());
  expect(pages.length).toBeGreaterThan(100);
  for (const page of pages) {
    const text = readFileSync(installed(page), 'utf8');
    expect(text, page).not.toMatch(/^<<<|^<\/?[A-Z]\w+|:href=|^:::/m);
    for (const [, link = ''] of text.matchAll(/\]\((?!https?:|mailto:|#)([^)\s#]+)/g)) {
      expect(pages, `${page}: ${link}`).toContain(join(dirname(page), link));
    }
  }
});

test("a source map's sources are in the tarball if the map refers to their lines", () => {
  const maps = files.filter((path) => path.endsWith('.map'));
  expect(maps.length).toBeGreaterThan(0);
  for (const path of maps) {
    const { sources, mappings } = JSON.parse(readFileSync(installed(path), 'utf8'));
    const mapped = new Set(decode(mappings).flatMap((line) => line.flatMap(([, source]) => source ?? [])));
    const missing = [...mapped].filter((source) => !files.includes(join(dirname(path), sources[source])));
    expect(
      missing.map((source) => sources[source]),
      path,
    ).toEqual([]);
  }
});

test('a stack trace points to the line in the source code', () => {
  const { run } = project({
    'main.mjs': "import { Worktrack } from 'worktrack';\nnew Worktrack({ baseUrl: 'nonsense', token: 't' });",
  });
  const { output } = run('--enable-source-maps', 'main.mjs');
  const [, source = '', line] = /\/(src\/[\w/-]+\.ts):(\d+)/.exec(output) ?? [];
  expect(source, output).not.toBe('');
  expect(readFileSync(join(root, source), 'utf8').split('\n')[Number(line) - 1]).toContain('throw new');
});

test('the tarball is at most 1,300 kB', () => {
  expect(statSync(inject('tarball')).size).toBeLessThanOrEqual(1_300_000);
});
