import type { WireFormat } from '../../src/wire/index.js';
import type { Deployment } from '../deployment/deployment.js';
import type { InitialFaults } from '../faults/faults.js';
import type { World } from '../seed/world.js';
import type { ClockTime } from '../state/clock.js';
import type { StateDump } from '../state/state-dump.js';

export interface MockServerOptions extends InitialFaults {
  /**
   * A state from `mock.export()`. If set, `world` and `now` are ignored, and `randomSeed` doesn't affect IDs.
   */
  state?: StateDump | undefined;
  /**
   * The seed data, as an object or a JSON string. The default is one organization with one user and one
   * credential that has every scope.
   */
  world?: World | string | undefined;
  /** The clock's initial time, or `'real'` for a running clock. @defaultValue 2026-01-01T00:00:00Z */
  now?: ClockTime | 'real' | undefined;
  /** The seed for IDs and all other random values. @defaultValue 0 */
  randomSeed?: number | string | undefined;
  /** Overrides wire format details that the specification leaves open. Pass the same value to the client. */
  wire?: Partial<WireFormat> | undefined;
  /**
   * How a deployment handles what the specification leaves open: settings, or the content of a
   * `deployment.json` file from `worktrack conformance --settings`, as an object or a JSON string. The server
   * then behaves the same way. The settings override those in the seed data, and `wire` overrides parts of
   * their wire format.
   */
  deployment?: Deployment | string | undefined;
  /** The server's base URL, with or without `/api/v1`. @defaultValue http://worktrack.test */
  baseUrl?: string | URL | undefined;
  /** The maximum size of a request body, in bytes. @defaultValue 10,000,000 */
  bodyLimit?: number | undefined;
  /**
   * The number of recent requests to keep in the journal. Older requests are removed in batches, so the
   * journal can briefly contain up to twice as many. @defaultValue 10,000
   */
  journalLimit?: number | undefined;
  /**
   * The journal's approximate maximum memory use, in bytes, excluding response bodies. The oldest requests are
   * removed first.
   * @defaultValue 64 MiB
   */
  journalBytes?: number | undefined;
  /**
   * How to handle a request that doesn't match any operation. With `'respond'`, the server returns 404 or
   * 405, like the API. With `'error'`, `fetch` rejects with a network error whose cause is an
   * {@link UnhandledRequestError}, and the client doesn't retry. In both cases, the request is recorded, and
   * `mock.requests.expectNoUnhandled()` fails.
   * @defaultValue 'respond'
   */
  unhandled?: 'respond' | 'error' | undefined;
}
