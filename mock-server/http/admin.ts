import type { OperationId, Scope } from '../../src/contract/index.js';
import type { Fault } from '../faults/fault.js';
import type { RateLimitOptions } from '../faults/rate-limit.js';
import type { ExpectedRequest } from '../journal/journal.js';
import type { World } from '../seed/world.js';
import type { Instant } from '../state/clock.js';
import { AdminError, type AdminRoute, readObject } from './admin-routes.js';

/**
 * What a test in another process, or in another language, can do to a space: everything that a
 * test beside a `MockServer` can, functions excepted. Below `/__admin` of the space's base path.
 */
export const adminRoutes: Record<string, AdminRoute> = {
  'GET /': ({ space }) => ({
    space: space.name,
    ...space.mock.clientOptions(),
    now: space.mock.clock.iso(),
    requests: space.mock.requests.length,
  }),

  'POST /reset': ({ space }) => space.reset(),
  'POST /seed'({ space, body }) {
    space.mock.load(body as World);
    space.faults.clear();
  },
  'GET /state': ({ space }) => space.mock.export(),

  'POST /snapshots'({ space }) {
    const id = space.nextHandle('snapshot');
    space.snapshots.set(id, space.mock.snapshot());
    return { id };
  },
  'POST /snapshots/{id}/restore'({ space, params: { id = '' } }) {
    const snapshot = space.snapshots.get(id);
    if (!snapshot) throw new AdminError(404, `There is no snapshot ${JSON.stringify(id)}.`);
    space.mock.restore(snapshot);
  },
  'DELETE /snapshots/{id}'({ space, params: { id = '' } }) {
    if (!space.snapshots.delete(id)) throw new AdminError(404, `There is no snapshot ${JSON.stringify(id)}.`);
  },

  'GET /clock': ({ space: { mock } }) => ({ now: mock.clock.iso(), frozen: mock.clock.frozen }),
  'POST /clock'({ space: { mock }, body }) {
    const { set, advance, freeze, real, ...rest } = readObject(body);
    refuseRest(rest, 'set, advance, freeze, real');
    if (real !== undefined && real !== true) {
      throw new AdminError(422, 'real must be true, or left out; "freeze": true stops the clock.');
    }
    const before = mock.clock.capture();
    try {
      if (real) mock.clock.real();
      if (set !== undefined) mock.clock.set(set as Instant);
      if (advance !== undefined) mock.clock.advance(advance as number);
      if (freeze !== undefined) mock.clock.freeze(freeze === true ? undefined : (freeze as Instant));
    } catch (error) {
      mock.clock.restore(before);
      throw error;
    }
    return { now: mock.clock.iso(), frozen: mock.clock.frozen };
  },

  'GET /credentials': ({ space }) => space.mock.state.credentials.all(),
  'POST /credentials': ({ space, body }) => space.mock.credentials.add(readObject(body)),
  'PATCH /credentials/{token}': ({ space, params: { token = '' }, body }) => {
    const { scopes, ...rest } = readObject(body);
    refuseRest(rest, 'scopes');
    return space.mock.credentials.setScopes(token, scopes as Scope[]);
  },
  'POST /credentials/{token}/rotate': ({ space, params: { token = '' }, body }) => {
    const { token: next, ...rest } = readObject(body);
    refuseRest(rest, 'token');
    return space.mock.credentials.rotate(token, next as string | undefined);
  },
  'DELETE /credentials/{token}': ({ space, params: { token = '' } }) => space.mock.credentials.revoke(token),

  'GET /faults': ({ space }) => space.mock.faults.list(),
  'POST /faults': ({ space, body }) => ({ id: space.addFault(readObject(body) as Fault) }),
  'DELETE /faults'({ space }) {
    space.mock.faults.clear();
    space.faults.clear();
  },
  'DELETE /faults/{id}'({ space, params: { id = '' } }) {
    if (!space.removeFault(id)) {
      throw new AdminError(404, `There is no fault ${JSON.stringify(id)}: removed, spent or never added.`);
    }
  },
  'PUT /rate-limit': ({ space, body }) => space.mock.faults.rateLimit(readObject(body) as RateLimitOptions),
  'DELETE /rate-limit': ({ space }) => space.mock.faults.rateLimit(null),

  'GET /requests'({ space: { mock }, query }) {
    const operation = query.get('operation') as OperationId | null;
    return operation === null ? mock.requests.all() : mock.requests.of(operation);
  },
  'POST /requests/expect'({ space: { mock }, body }) {
    const { operation, ...expected } = readObject(body);
    if (typeof operation !== 'string') throw new AdminError(422, 'operation is required');
    const asked = [operation as OperationId, expected as ExpectedRequest] as const;
    const [found] = mock.requests.matching(...asked);
    if (!found) throw new AdminError(409, mock.requests.describeMiss(...asked));
    return found;
  },
  'DELETE /requests': ({ space }) => space.mock.requests.clear(),
  'GET /scopes': ({ space: { mock } }) => ({ used: mock.scopes.used(), missing: mock.scopes.missing() }),

  'POST /records/{kind}'({ space: { mock }, params: { kind = '' }, body }) {
    if (!isKind(kind))
      throw new AdminError(404, `There are no records ${JSON.stringify(kind)}: ${kinds.join(', ')}.`);
    return mock.add[kind](readObject(body));
  },
};

const kinds = ['organization', 'user', 'label', 'project', 'board', 'ticket', 'document'] as const;
const isKind = (kind: string): kind is (typeof kinds)[number] => (kinds as readonly string[]).includes(kind);

function refuseRest(rest: object, known: string): void {
  const [first] = Object.keys(rest);
  if (first !== undefined) throw new AdminError(422, `${first} is not known; there are: ${known}.`);
}
