import { type Scope, scopes } from '../../src/contract/index.js';
import { slugOf } from '../state/boards.js';
import type { CredentialRow, OrganizationRow, UserRow } from '../state/rows.js';
import type { State } from '../state/state.js';
import { idFor } from './place.js';
import { SeedError } from './seed-error.js';
import type { CredentialSeed, UserSeed } from './world.js';

export function loadUser(state: State, organization_id: string, seed: UserSeed, path: string): UserRow {
  const { name, email = `${slugOf(name) || 'user'}@example.com`, role = 'member' } = seed;
  const user = { id: idFor(state, state.users, seed.id, path), organization_id, name, email, role };
  const organization = state.organizations.get(organization_id) as OrganizationRow;
  state.users.put(user.id, user);
  state.organizations.put(organization_id, { ...organization, users: [...organization.users, user.id] });
  return user;
}

export function loadCredential(
  state: State,
  organization_id: string,
  seed: CredentialSeed,
  path: string,
): CredentialRow {
  const { token, name = token } = seed;
  if (state.credentials.has(token)) {
    throw new SeedError(`${path}.token`, `${JSON.stringify(token)} is taken by another credential`);
  }
  const ids = new Set([...state.credentials.values()].map(({ id }) => id));
  const id = idFor(state, ids, seed.id, path);
  const row = { id, organization_id, token, name, scopes: scopesOf(seed.scopes) };
  state.credentials.put(token, row);
  return row;
}

/** The scopes that a list stands for; `'*'` stands for all. */
export function scopesOf(given: readonly (Scope | '*')[] = ['*']): ReadonlySet<Scope> {
  return new Set(given.flatMap((scope) => (scope === '*' ? scopes : [scope])));
}
