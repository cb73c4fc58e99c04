import type { Spaces } from '../spaces.js';
import type { SpacesApi } from './admin-api.js';
import { AdminError } from './admin-error.js';
import type { RoutesOf } from './admin-route.js';
import { connectionTo } from './views.js';

/** The admin routes for managing spaces, available only at the root. */
export const spaceRoutes = (spaces: Spaces): RoutesOf<SpacesApi> => ({
  'GET /spaces': { status: 200, handle: () => spaces.names() },
  'POST /spaces': {
    status: 200,
    errors: [409],
    acceptsWorld: true,
    fields: { name: true, world: true, deployment: true, now: true, randomSeed: true, replace: true },
    handle({ body: { name, ...options } }) {
      const space = spaces.create(name, options);
      return { name: space.name, ...connectionTo(space.mock) };
    },
  },
  'DELETE /spaces/{name}': {
    status: 204,
    errors: [404],
    handle({ param: name }) {
      if (!spaces.delete(name)) throw new AdminError(404, `No space is named ${JSON.stringify(name)}.`);
    },
  },
});
