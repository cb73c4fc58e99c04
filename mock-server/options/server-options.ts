import type { Wire } from '../../src/wire/index.js';
import type { InitialFaults } from '../faults/faults.js';
import type { World } from '../seed/world.js';
import type { Instant } from '../state/clock.js';
import type { StateDump } from '../state/state-dump.js';

export interface MockServerOptions extends InitialFaults {
  /** A state that `mock.export()` returned. If it is set, `world` is ignored. */
  state?: StateDump | undefined;
  /**
   * The seed data: an object, or its JSON. By default one organization with one user and one credential with
   * every scope.
   */
  world?: World | string | undefined;
  /** The clock's initial time, or `'real'` for a running clock. @defaultValue 2026-01-01T00:00:00Z */
  now?: Instant | 'real' | undefined;
  /** The seed for IDs and everything else that is random. @defaultValue 0 */
  seed?: number | string | undefined;
  /** Replaces details of the wire format that the specification leaves open. The client needs the same value. */
  wire?: Partial<Wire> | undefined;
  /** The server's base URL, with or without `/api/v1`; `http://worktrack.test` by default. */
  baseUrl?: string | URL | undefined;
  /** Maximum size of a request body, in bytes; 10,000,000 by default. */
  bodyLimit?: number | undefined;
  /** The number of latest requests that the journal keeps. @defaultValue 10,000 */
  journalLimit?: number | undefined;
  /**
   * The maximum memory that the journal may take, in bytes. The oldest requests are dropped first.
   * @defaultValue 64 MiB
   */
  journalBytes?: number | undefined;
  /**
   * How the server handles a request that matches no operation. `'respond'`, the default, responds with 404
   * or 405, as the API does. With `'error'`, `mock.fetch` rejects with an {@link UnhandledRequestError}, and
   * MSW calls `onUnhandledRequest` (pass `mock.mswOptions` to `listen`).
   */
  unhandled?: 'respond' | 'error' | undefined;
}

/** Client options for a mock server. */
export interface MockClientOptions {
  baseUrl: string;
  token: string;
  organization: string;
  /** Makes a response of the mock server that doesn't match the contract an error. */
  responseValidation: 'throw';
}
