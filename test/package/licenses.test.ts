import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';

const installed = (path: string) =>
  readFileSync(join(inject('home'), 'node_modules/worktrack', path), 'utf8');

const licenses = new Map(
  [
    ...installed('THIRD-PARTY-LICENSES.md').matchAll(
      /^## (\S+) [\d.]+\S*\n(.*?)(?=^## \S+ \d|(?![\s\S]))/gms,
    ),
  ].map(([, name = '', text = '']) => [name, text]),
);

/** Finds the packages mentioned in the build's source maps and comments. */
function bundledPackages(): Set<string> {
  const texts = inject('packedFiles')
    .filter(({ path }) => /^dist\/.*\.(js|map)$/.test(path))
    .map(({ path }) => installed(path));
  const paths = texts.flatMap((text) => [
    ...text.matchAll(/(?:^\/\/ |")[./\w-]*node_modules\/((?:@[\w.-]+\/)?[\w.-]+)\//gm),
  ]);
  return new Set(paths.map(([, name = '']) => name));
}

test('the tarball includes the license of every bundled package', () => {
  const bundled = [...bundledPackages()].sort();
  expect(bundled).toEqual(expect.arrayContaining(['commander', 'srvx']));
  expect([...licenses.keys()]).toEqual(expect.arrayContaining(bundled));
});

test('each license is complete and includes a copyright notice', () => {
  for (const [name, text] of licenses) {
    expect(text, name).toMatch(/copyright/i);
    // The shortest license, ISC, has about 700 characters.
    expect(text.length, name).toBeGreaterThan(600);
  }
});
