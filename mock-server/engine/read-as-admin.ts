import { scopes } from '../../src/contract/index.js';
import { defaultWire } from '../../src/wire/index.js';
import { Overrides } from '../controls/overrides.js';
import { Faults } from '../faults/faults.js';
import { Journal } from '../journal/journal.js';
import { ScopeUse } from '../journal/scopes.js';
import { defaultBehavior } from '../rules/index.js';
import { Random } from '../state/ids.js';
import type { State } from '../state/state.js';
import { Engine } from './engine.js';
import { RecordJsonCache } from './record-json-cache.js';

/**
 * Responds to a read request without affecting tests. The request isn't recorded in the journal, and faults,
 * rate limits, and overrides don't apply to it.
 *
 * @param organization the ID of the organization to read from. All scopes are granted.
 */
export function readAsAdmin(state: State, request: Request, organization: string): Promise<Response> {
  const reader = { id: '', organization_id: organization, token: '', name: '', scopes: new Set(scopes) };
  const engine = new Engine({
    state,
    authenticate: () => reader,
    wire: defaultWire,
    behavior: defaultBehavior,
    basePath: '',
    bodyLimit: 0,
    faults: new Faults(new Random(0), () => state.clock.milliseconds()),
    overrides: new Overrides(),
    journal: new Journal({
      limit: 1,
      byteLimit: 0,
      credentialHeader: defaultWire.credential.header,
      tokens: () => [],
    }),
    scopes: new ScopeUse(),
    jsonCache: new RecordJsonCache(),
  });
  return engine.handle(request);
}
