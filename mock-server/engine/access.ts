import type { Scope } from '../../src/contract/index.js';
import { inQuotes } from '../../src/shared/quote.js';
import { decodeCredential, type WireFormat } from '../../src/wire/index.js';
import { RejectedRequest } from '../rules/index.js';
import type { PathRecords } from '../rules/rule.js';
import { findLive, projectOf } from '../state/live.js';
import type { CredentialRow, OrganizationRow } from '../state/rows.js';
import type { State } from '../state/state.js';

/** @throws RejectedRequest `invalid_credential` (401) if the credential is missing or unknown */
export function authenticate(state: State, wire: WireFormat, headers: Headers): CredentialRow {
  const token = decodeCredential(wire.credential, headers);
  if (token === undefined) {
    const { header, scheme } = wire.credential;
    throw new RejectedRequest(
      'invalid_credential',
      `Missing credential. Send ${header}: ${scheme} <token>.`.replace('  ', ' '),
    );
  }
  const credential = state.credentials.get(token);
  if (!credential) throw new RejectedRequest('invalid_credential', 'The credential is invalid.');
  return credential;
}

/** @throws RejectedRequest `missing_scope` (403) if the credential lacks the scope */
export function requireScope({ name, scopes }: CredentialRow, scope: Scope): void {
  if (scopes.has(scope)) return;
  throw new RejectedRequest(
    'missing_scope',
    `The credential ${JSON.stringify(name)} lacks the ${scope} scope.`,
  );
}

/**
 * Finds the records that the path parameters refer to.
 *
 * @throws RejectedRequest `not_found` (404) if a record, its project, or its board is unknown or deleted
 * @throws RejectedRequest `wrong_organization` (403) if a record belongs to another organization
 */
export function findPathRecords(
  state: State,
  { organization_id }: CredentialRow,
  params: Readonly<Record<string, string>>,
): Partial<PathRecords> {
  const records: Partial<PathRecords> = {};
  for (const name of Object.keys(params) as (keyof PathRecords)[]) {
    const id = params[name] as string;
    if (name === 'organization') {
      // Unknown IDs get the same error, so the response doesn't reveal whether an organization exists.
      if (id !== organization_id) throw wrongOrganization();
      records.organization = state.organizations.get(id) as OrganizationRow;
      continue;
    }
    const row = findLive[name](state, id);
    if (!row) throw new RejectedRequest('not_found', `No ${name} has the ID ${inQuotes(id)}.`);
    const owner = 'organization_id' in row ? row : projectOf(state, row);
    if (owner.organization_id !== organization_id) throw wrongOrganization();
    (records as Record<string, unknown>)[name] = row;
  }
  return records;
}

const wrongOrganization = () =>
  new RejectedRequest('wrong_organization', 'The credential belongs to another organization.');
