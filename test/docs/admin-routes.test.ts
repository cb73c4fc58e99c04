import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { adminRoutes } from '../../mock-server/node/admin/routes.js';
import { spaceRoutes } from '../../mock-server/node/admin/space-routes.js';
import type { Spaces } from '../../mock-server/node/spaces.js';

const guide = readFileSync(
  fileURLToPath(new URL('../../docs/testing/mock-server-over-http.md', import.meta.url)),
  'utf8',
);
const row = /^\| `((?:GET|POST|PUT|PATCH|DELETE) \/[^`]*)` \| ([\d, ]+) \|/gm;
const documented = [...guide.matchAll(row)].map(([, route = '', statuses = '']) => `${route}: ${statuses}`);

test('the guide lists all admin routes with their status codes', () => {
  const routes = Object.entries({ ...adminRoutes, ...spaceRoutes({} as Spaces) }).map(
    ([name, { status, errors = [] }]) => `${name}: ${[status, ...errors].join(', ')}`,
  );

  expect(documented.toSorted()).toEqual(routes.toSorted());
});
