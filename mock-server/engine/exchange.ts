import type { WireFormat } from '../../src/wire/index.js';
import type { Overrides } from '../controls/overrides.js';
import type { Faults } from '../faults/faults.js';
import type { JournalEntry } from '../journal/entry.js';
import type { Journal } from '../journal/journal.js';
import type { ScopeUse } from '../journal/scopes.js';
import type { Behavior } from '../rules/index.js';
import type { CredentialRow } from '../state/rows.js';
import type { State } from '../state/state.js';
import type { Incoming } from './incoming.js';
import type { RecordJsonCache } from './record-json-cache.js';
import type { ResponseTarget } from './responses.js';

/** The components and settings of an engine. */
export interface EngineParts {
  state: State;
  /**
   * Finds the credential of a request. `readAsAdmin` accepts requests without one.
   *
   * @throws RejectedRequest `invalid_credential` (401) if the credential is missing or unknown
   */
  authenticate(headers: Headers): CredentialRow;
  wire: WireFormat;
  behavior: Behavior;
  /** The path before `/api/v1`. Empty by default. */
  basePath: string;
  /** The maximum size of a request body, in bytes. */
  bodyLimit: number;
  faults: Faults;
  overrides: Overrides;
  journal: Journal;
  scopes: ScopeUse;
  jsonCache: RecordJsonCache;
}

/** An in-flight request, shared by the steps that build its response. */
export interface Exchange extends ResponseTarget {
  request: Incoming;
  entry: JournalEntry;
  /**
   * Checks that the request is still valid. Call this after every `await`, before reading or changing the
   * state.
   *
   * @throws StaleRequestError if the state has been reset or restored in the meantime
   */
  requireCurrent(): void;
}

/**
 * Thrown if the server is reset, restored, or loaded with different seed data while a request is in flight.
 */
export class StaleRequestError extends Error {
  constructor() {
    super(
      'The mock server was reset or restored while this request was in flight. The request had no effect.',
    );
    this.name = 'StaleRequestError';
  }
}
