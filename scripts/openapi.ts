import { writeFileSync } from 'node:fs';
import { root } from './entries.js';
import { openApiDocument } from './openapi/document.js';

// `npm run openapi`: writes the document that the contract says, with its examples; a test holds it up to date.
writeFileSync(`${root}openapi.json`, `${JSON.stringify(await openApiDocument(), null, 2)}\n`);
