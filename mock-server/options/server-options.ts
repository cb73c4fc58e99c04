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
  /** The clock's time, 2026-01-01T00:00:00Z by default; `'real'` for a running clock. */
  now?: Instant | 'real' | undefined;
  /** Seed for ids and everything else that is random; 0 by default. */
  seed?: number | string | undefined;
  /** Replaces details of the wire format that the specification leaves open. The client needs the same value. */
  wire?: Partial<Wire> | undefined;
  /** The server's base URL, with or without `/api/v1`; `http://worktrack.test` by default. */
  baseUrl?: string | URL | undefined;
  /** Maximum size of a request body, in bytes; 10,000,000 by default. */
  bodyLimit?: number | undefined;
  /** How many of the latest requests the journal keeps at least; 10,000 by default. */
  journalLimit?: number | undefined;
  /** Bytes of memory that the journal may take; older requests are dropped first. 64 MiB by default. */
  journalBytes?: number | undefined;
  /**
   * What happens to a request that matches no operation. `'respond'`, the default, responds with 404 or 405, as
   * the API does. With `'error'`, `mock.fetch` rejects with an {@link UnhandledRequestError}, and MSW calls
   * `onUnhandledRequest` (pass `mock.mswOptions` to `listen`).
   */
  unhandled?: 'respond' | 'error' | undefined;
}

/** Client options that fit a mock server. */
export interface MockClientOptions {
  baseUrl: string;
  token: string;
  organization: string;
  /** A response of the mock server that doesn't match the contract is an error. */
  responseValidation: 'throw';
}
