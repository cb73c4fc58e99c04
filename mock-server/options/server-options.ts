import type { Wire } from '../../src/wire/index.js';
import type { InitialFaults } from '../faults/faults.js';
import type { World } from '../seed/world.js';
import type { Instant } from '../state/clock.js';
import type { StateDump } from '../state/state-dump.js';

export interface MockServerOptions extends InitialFaults {
  /** A state that {@link MockServer.export} gave; it goes before `world`. */
  state?: StateDump | undefined;
  /**
   * What the server begins with: an object, or its JSON text. By default one organization, one
   * user, one credential with every scope.
   */
  world?: World | string | undefined;
  /** The time at which the clock stands, 2026-01-01T00:00:00Z by default; `'real'` for a clock that runs. */
  now?: Instant | 'real' | undefined;
  /** Where ids, and whatever else is random, begin; 0 by default. */
  seed?: number | string | undefined;
  /** Replaces details of the wire that the specification leaves open; the client needs the same. */
  wire?: Partial<Wire> | undefined;
  /** The address that the server answers for, with or without `/api/v1`. `http://worktrack.test` by default. */
  baseUrl?: string | URL | undefined;
  /** Bytes a request's body may have; 10,000,000 by default. */
  bodyLimit?: number | undefined;
  /** How many of the latest requests the journal keeps at least; 10,000 by default. */
  journalLimit?: number | undefined;
  /** Bytes of memory that the journal may take; older requests are dropped first. 64 MiB by default. */
  journalBytes?: number | undefined;
  /**
   * What becomes of a request that no operation answers. `answer`, the default: 404 or 405, as the
   * API's. `error`: `mock.fetch` rejects with an {@link UnhandledRequestError}; under MSW the
   * request is left to `onUnhandledRequest` (give `mock.mswOptions` to `listen`).
   */
  unhandled?: 'answer' | 'error' | undefined;
}

/** Client options that fit a mock server. */
export interface MockClientOptions {
  baseUrl: string;
  token: string;
  organization: string;
  /** The server's own answers must fit the contract to the letter. */
  responseValidation: 'throw';
}
