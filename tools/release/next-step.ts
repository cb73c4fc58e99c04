import { readdirSync, readFileSync } from 'node:fs';
import { root } from '../entries.js';
import { npm } from '../support/packages.js';

// Prints the next step of the release workflow, in the GITHUB_OUTPUT format:
//   step=version   changesets are pending: propose the next version
//   step=publish   the version in package.json isn't published yet
//   step=none      nothing to release
const { name, version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const pending = readdirSync(`${root}.changeset`).filter(
  (file) => file.endsWith('.md') && file !== 'README.md',
);
console.log(`version=${version}`);
console.log(`step=${pending.length > 0 ? 'version' : isPublished() ? 'none' : 'publish'}`);

function isPublished(): boolean {
  try {
    return npm(['view', `${name}@${version}`, 'version'], root).trim() === version;
  } catch (error) {
    // Before the first release, npm responds with 404, because the package doesn't exist.
    if (String((error as { stderr?: string }).stderr).includes('E404')) return false;
    throw error;
  }
}
