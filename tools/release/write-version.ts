import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { root } from '../entries.js';

/** Returns the content of src/version.ts for a package.json. */
export const versionModule = ({ version, homepage = '' }: { version: string; homepage?: string }): string =>
  `/** The version of this package. */
export const VERSION = '${version}';

/** The URL of the documentation site without a trailing slash, from \`homepage\` in package.json. Empty if it isn't set. */
export const DOCS_URL: string = '${homepage.replace(/\/+$/, '')}';
`;

// Part of `npm run release:version`: copies the version and the homepage from package.json to src/version.ts.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  writeFileSync(`${root}src/version.ts`, versionModule(manifest));
}
