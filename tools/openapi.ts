import { writeFileSync } from 'node:fs';
import { root } from './entries.js';
import { openApiDocument } from './openapi/document.js';
import { worldSchema } from './openapi/world-schema.js';

// `npm run openapi`: generates openapi.json with examples from the contract, and world.schema.json from the
// seed data schemas. Tests check that both files are up to date.
writeFileSync(`${root}docs/public/world.schema.json`, `${JSON.stringify(worldSchema(), null, 2)}\n`);
writeFileSync(`${root}docs/public/openapi.json`, `${JSON.stringify(await openApiDocument(), null, 2)}\n`);
