// Generates the tables in docs/reference from the contract.
//   tsx scripts/reference.ts          writes the files
//   tsx scripts/reference.ts --check  fails if a file is out of date

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { referenceTables } from './support/reference-tables.js';

const folder = join(import.meta.dirname, '../docs/reference');
const check = process.argv.includes('--check');

for (const [name, text] of Object.entries(referenceTables())) {
  const file = join(folder, `${name}.md`);
  if (!check) await writeFile(file, text);
  else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    console.error(`docs/reference/${name}.md is out of date; run npm run docs:reference`);
    process.exitCode = 1;
  }
}
