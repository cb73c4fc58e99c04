import { existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { root } from '../entries.js';
import { versionModule } from './write-version.js';

// `npm run release:check`: checks whether the package can be published. If it can't, the release workflow
// stops.

/** Returns one sentence for each problem that prevents publishing. */
export function releaseProblems(folder: string): string[] {
  const read = (name: string) =>
    existsSync(`${folder}/${name}`) ? readFileSync(`${folder}/${name}`, 'utf8') : '';
  const manifest = JSON.parse(read('package.json'));
  const lock = JSON.parse(read('package-lock.json'));
  const { version } = manifest;
  const checks: [passes: boolean, problem: string][] = [
    [
      Boolean(manifest.repository?.url),
      '"repository.url" is missing from package.json; npm compares it with the repository that runs the build',
    ],
    [
      Boolean(manifest.homepage),
      '"homepage" (the URL of the documentation site) is missing from package.json',
    ],
    [Boolean(manifest.bugs?.url), '"bugs.url" (where users report problems) is missing from package.json'],
    [
      read('src/version.ts') === versionModule(manifest),
      'src/version.ts differs from package.json; run npx tsx tools/release/write-version.ts',
    ],
    [lock.version === version, `the version in package-lock.json isn't ${version}`],
    [read('CHANGELOG.md').includes(`\n## ${version}\n`), `CHANGELOG.md has no entry "## ${version}"`],
  ];
  return checks.filter(([passes]) => !passes).map(([, problem]) => problem);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const problems = releaseProblems(root);
  for (const problem of problems) console.error(problem);
  if (problems.length === 0) console.log('ready to publish');
  else console.error('\nNot ready to publish. See "Release" in docs/contributing/index.md.');
  process.exitCode = problems.length > 0 ? 1 : 0;
}
