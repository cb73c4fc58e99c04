import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { adminRoutes } from '../../mock-server/http/admin.js';
import { type Spaces, spaceRoutes } from '../../mock-server/http/spaces.js';

const guide = readFileSync(
  fileURLToPath(new URL('../../docs/testing/mock-server-over-http.md', import.meta.url)),
  'utf8',
);
// The table's rows; its routes are asked for by name only.
const documented = [...guide.matchAll(/^\| `.*$/gm)].flatMap(([row]) =>
  [...row.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/[^`]*)`/g)].map(([, route]) => route),
);

test('the guide to the server over HTTP has every admin route, and no other', () => {
  const routes = [...Object.keys(adminRoutes), ...Object.keys(spaceRoutes({} as Spaces))];

  expect(documented.toSorted()).toEqual(routes.toSorted());
});
