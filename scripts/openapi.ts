import { writeFileSync } from 'node:fs';
import { root } from './entries.js';
import { openApiDocument } from './openapi/document.js';

// `npm run openapi`: generates openapi.json from the contract, including examples. A test checks that it's up
// to date.
writeFileSync(`${root}openapi.json`, `${JSON.stringify(await openApiDocument(), null, 2)}\n`);
