import type { MockServerOptions } from '../../options/server-options.js';
import type { Spaces } from '../spaces.js';
import { AdminError } from './admin-error.js';
import { type AdminRoutes, readObject, rejectUnknown } from './admin-route.js';

/** The admin routes for managing spaces, available only at the root. */
export const spaceRoutes = (spaces: Spaces): AdminRoutes => ({
  'GET /spaces': { status: 200, handle: () => spaces.names() },
  'POST /spaces': {
    status: 200,
    errors: [409],
    acceptsWorld: true,
    handle({ body }) {
      const { name, world, now, randomSeed, ...rest } = readObject(body);
      rejectUnknown(rest, 'name, world, now, randomSeed');
      const space = spaces.create(
        name as string,
        {
          ...(world !== undefined && { world }),
          ...(now !== undefined && { now }),
          ...(randomSeed !== undefined && { randomSeed }),
        } as MockServerOptions,
      );
      return { name: space.name, ...space.mock.clientOptions() };
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
