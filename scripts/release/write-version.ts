import { readFileSync, writeFileSync } from 'node:fs';
import { root } from '../entries.js';

// Part of `npm run release:version`: copies the version from package.json to src/version.ts.
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const code = `/** The version of this package. */\nexport const VERSION = '${version}';\n`;
writeFileSync(`${root}src/version.ts`, code);
