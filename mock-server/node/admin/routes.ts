import type { OperationId } from '../../../src/contract/index.js';
import type { Builders } from '../../controls/builders.js';
import type { Spaces } from '../spaces.js';
import type { AdminApi, SpacesApi } from './admin-api.js';
import { AdminError, requireFound } from './admin-error.js';
import type { RoutesOf } from './admin-route.js';
import { eventStream } from './event-stream.js';
import { connectionTo, hasCredential, viewClock, viewFault } from './views.js';

/**
 * A space's admin routes, at `/__admin` under its base path. They let tests in other processes and languages
 * use every `MockServer` feature that doesn't take a function.
 */
export const adminRoutes: RoutesOf<AdminApi> = {
  'GET /': {
    status: 200,
    handle: ({ space: { name, mock } }) => ({
      space: name,
      ...(hasCredential(mock) && connectionTo(mock)),
      now: mock.clock.iso(),
      requests: mock.requests.length,
    }),
  },
  'GET /events': { status: 200, errors: [429], handle: ({ space }) => eventStream(space) },

  'POST /reset': { status: 204, fields: {}, handle: ({ space }) => space.mock.reset() },
  'POST /seed': {
    status: 204,
    acceptsWorld: true,
    handle: ({ space, body }) => space.mock.load(body),
  },
  'GET /state': { status: 200, handle: ({ space }) => space.mock.export() },

  'GET /snapshots': { status: 200, handle: ({ space }) => [...space.snapshots.keys()] },
  'POST /snapshots': {
    status: 200,
    errors: [409],
    fields: {},
    handle: ({ space }) => ({ id: space.addSnapshot() }),
  },
  'POST /snapshots/{id}/restore': {
    status: 204,
    fields: {},
    errors: [404],
    handle: ({ space, param: id }) =>
      space.mock.restore(requireFound(space.snapshots.get(id), 'No snapshot has the ID', id)),
  },
  'DELETE /snapshots/{id}': {
    status: 204,
    errors: [404],
    handle: ({ space, param: id }) => requireFound(space.snapshots.delete(id), 'No snapshot has the ID', id),
  },

  'GET /clock': { status: 200, handle: ({ space: { mock } }) => viewClock(mock) },
  'POST /clock': {
    status: 200,
    fields: { set: true, advance: true, freeze: true, real: true },
    handle({ space: { mock }, body: { set, advance, freeze, real } }) {
      if (real !== undefined && real !== true) {
        throw new AdminError(422, 'real must be true or omitted; to stop the clock, send "freeze": true.');
      }
      const before = mock.clock.capture();
      try {
        if (real) mock.clock.useSystemTime();
        // Freeze the clock first. Otherwise, it would keep running for a moment after the time is set.
        if (freeze === true) mock.clock.freeze();
        if (set !== undefined) mock.clock.set(set);
        if (advance !== undefined) mock.clock.advance(advance);
        if (freeze !== undefined && freeze !== true) mock.clock.freeze(freeze);
      } catch (error) {
        mock.clock.restore(before);
        throw error;
      }
      return viewClock(mock);
    },
  },

  'GET /organizations': { status: 200, handle: ({ space }) => space.mock.state.organizations.all() },
  'GET /credentials': { status: 200, handle: ({ space }) => space.mock.state.credentials.all() },
  'POST /credentials': {
    status: 200,
    handle: ({ space, body }) => space.mock.credentials.add(body),
  },
  'PATCH /credentials/{token}': {
    status: 200,
    fields: { scopes: true },
    handle: ({ space, param: token, body }) => space.mock.credentials.setScopes(token, body.scopes),
  },
  'POST /credentials/{token}/rotate': {
    status: 200,
    fields: { token: true },
    handle: ({ space, param: token, body }) => space.mock.credentials.rotate(token, body.token),
  },
  'DELETE /credentials/{token}': {
    status: 204,
    handle: ({ space, param: token }) => space.mock.credentials.revoke(token),
  },

  'GET /faults': { status: 200, handle: ({ space: { mock } }) => mock.faults.handles().map(viewFault) },
  'POST /faults': {
    status: 200,
    errors: [409],
    handle: ({ space, body }) => ({ id: space.addFault(body) }),
  },
  'DELETE /faults': { status: 204, handle: ({ space }) => space.mock.faults.clear() },
  'DELETE /faults/{id}': {
    status: 204,
    errors: [404],
    handle({ space, param: id }) {
      const handle = space.mock.faults.handles().find((other) => other.id === id);
      requireFound(handle, 'No active fault has the ID', id).remove();
    },
  },
  'GET /rate-limit': {
    status: 200,
    handle: ({ space: { mock } }) => mock.faults.currentRateLimit ?? null,
  },
  'PUT /rate-limit': {
    status: 204,
    handle: ({ space, body }) => space.mock.faults.rateLimit(body),
  },
  'DELETE /rate-limit': { status: 204, handle: ({ space }) => space.mock.faults.rateLimit(null) },

  'GET /requests': {
    status: 200,
    parameters: { operation: true, limit: true },
    handle({ space: { mock }, query }) {
      const operation = query.get('operation') as OperationId | null;
      const limit = readLimit(query.get('limit'));
      return operation === null ? mock.requests.all(limit) : mock.requests.for(operation).slice(-limit);
    },
  },
  'GET /requests/{id}': {
    status: 200,
    errors: [404],
    handle: ({ space: { mock }, param: id }) =>
      requireFound(mock.requests.get(id), 'No request in the journal has the ID', id),
  },
  'POST /requests/expect': {
    status: 200,
    errors: [409],
    handle({ space: { mock }, body: { operation, ...expected } }) {
      if (typeof operation !== 'string') throw new AdminError(422, 'operation is required');
      const [found] = mock.requests.matching(operation, expected);
      if (!found) throw new AdminError(409, mock.requests.describeMiss(operation, expected));
      return found;
    },
  },
  'DELETE /requests': { status: 204, handle: ({ space }) => space.mock.requests.clear() },
  'GET /scopes': {
    status: 200,
    handle: ({ space: { mock } }) => ({ used: mock.scopes.used(), missing: mock.scopes.missing() }),
  },

  'POST /records/{kind}': {
    status: 200,
    errors: [404],
    handle({ space: { mock }, param: kind, body }) {
      if (!isKind(kind)) {
        throw new AdminError(
          404,
          `Unknown record kind ${JSON.stringify(kind)}; expected one of: ${kinds.join(', ')}.`,
        );
      }
      return mock.add[kind](body as object);
    },
  },
};

/** The admin routes for managing spaces, available only at the root. */
export const spaceRoutes = (spaces: Spaces): RoutesOf<SpacesApi> => ({
  'GET /spaces': { status: 200, handle: () => spaces.names() },
  'POST /spaces': {
    status: 200,
    errors: [409],
    acceptsWorld: true,
    fields: { name: true, world: true, deployment: true, now: true, randomSeed: true, replace: true },
    handle({ body: { name, ...options } }) {
      return { name, ...spaces.create(name, options, connectionTo) };
    },
  },
  'DELETE /spaces/{name}': {
    status: 204,
    errors: [404],
    handle: ({ param: name }) => requireFound(spaces.delete(name), 'No space is named', name),
  },
});

/** The possible values of `{kind}` in `POST /records/{kind}`: the names of the `mock.add` methods. */
const isRecordKind: Record<keyof Builders, true> = {
  organization: true,
  user: true,
  label: true,
  project: true,
  board: true,
  ticket: true,
  document: true,
  comment: true,
  notification: true,
};
const kinds = Object.keys(isRecordKind);
const isKind = (kind: string): kind is keyof Builders => Object.hasOwn(isRecordKind, kind);

function readLimit(text: string | null): number {
  if (text === null) return Number.MAX_SAFE_INTEGER;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new AdminError(422, `limit must be a positive integer (got ${JSON.stringify(text)})`);
}
