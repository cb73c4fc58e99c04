import type { Wire } from '../../src/wire/index.js';
import type { Overrides } from '../controls/overrides.js';
import type { Faults } from '../faults/faults.js';
import type { OpenRecord } from '../journal/entry.js';
import type { Journal } from '../journal/journal.js';
import type { ScopeUse } from '../journal/scopes.js';
import type { State } from '../state/state.js';
import type { Incoming } from './incoming.js';
import type { RecordJsonCache } from './record-json-cache.js';
import type { ResponseConstructor } from './responses.js';

/** What an engine works with. */
export interface EngineOptions {
  state: State;
  wire: Wire;
  /** Part of the path before `/api/v1`; empty where there is none. */
  basePath: string;
  /** Bytes a body may have. */
  bodyLimit: number;
  faults: Faults;
  overrides: Overrides;
  journal: Journal;
  scopes: ScopeUse;
  kept: RecordJsonCache;
}

/** What the steps of one request share. */
export interface Exchange {
  request: Incoming;
  record: OpenRecord;
  /** Of the answer, whatever it becomes. */
  headers: Record<string, string>;
  Response: ResponseConstructor;
}
