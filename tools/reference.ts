// `npm run docs:reference`: generates the tables in docs/reference from the contract.
import { writeFileSync } from 'node:fs';
import { root } from './entries.js';
import { referenceTables } from './support/reference-tables.js';

for (const [name, text] of Object.entries(referenceTables())) {
  writeFileSync(`${root}docs/reference/${name}.md`, text);
}
