import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { mutationGroups, testsOf } from '../../../scripts/mutation-groups.js';

const files = ['src', 'mock-server', 'cli', 'conformance'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
);

/** Converts a group's glob pattern to a regular expression. */
function matcher(pattern: string): RegExp {
  const source = pattern.replace(/\*\*\/|!\(([^)]*)\)|\*|\./g, (part, names?: string) => {
    if (part === '**/') return '(?:[^/]+/)*';
    if (names !== undefined) return `(?!(?:${names})\\.)[^/]+`;
    return part === '*' ? '[^/]+' : '\\.';
  });
  return new RegExp(`^${source}$`);
}

const groupsOf = (file: string): string[] =>
  Object.entries(mutationGroups)
    .filter(([, { mutate }]) => mutate.some((pattern) => matcher(pattern).test(file)))
    .map(([name]) => name);

test('every source file is in exactly one mutation group', () => {
  expect(files.length).toBeGreaterThan(200);
  const misplaced = files.flatMap((file) => {
    const groups = groupsOf(file);
    return groups.length === 1 ? [] : [`${file}: ${groups.join(', ') || 'none'}`];
  });
  expect(misplaced).toEqual([]);
});

test('every pattern in a mutation group matches a file', () => {
  const patterns = Object.values(mutationGroups).flatMap(({ mutate }) => mutate);
  expect(patterns.filter((pattern) => !files.some((file) => matcher(pattern).test(file)))).toEqual([]);
});

test('every test file listed by a mutation group exists', () => {
  const named = testsOf(undefined).flatMap((pattern) => {
    const [, before = pattern, names = '', after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? [];
    return names.split(',').map((name) => before + name + after);
  });
  const matchesFile = (pattern: string) =>
    readdirSync(dirname(pattern)).some((name) => matcher(pattern).test(`${dirname(pattern)}/${name}`));
  expect(named.filter((pattern) => !matchesFile(pattern))).toEqual([]);
});

test('the weekly workflow runs every mutation group', () => {
  const workflow = readFileSync('.github/workflows/weekly.yml', 'utf8');
  const listed = /group:\n((?: +- .+\n)+)/.exec(workflow)?.[1]?.match(/(?<=- ).+/g);
  expect(listed).toEqual(Object.keys(mutationGroups));
});
