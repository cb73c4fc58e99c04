import { type Scope, scopes } from '../../src/contract/index.js';
import { slugOf } from '../state/boards.js';
import type { CredentialRow, OrganizationRow, UserRow } from '../state/rows.js';
import type { State } from '../state/state.js';
import { idFor } from './seed-context.js';
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
  const { token } = seed;
  if (state.credentials.has(token)) {
    throw new SeedError(`${path}.token`, `${JSON.stringify(token)} is taken by another credential`);
  }
  const others = [...state.credentials.values()];
  const id = idFor(state, new Set(others.map((other) => other.id)), seed.id, path);
  const name = seed.name ?? freeName(others.filter((other) => other.organization_id === organization_id));
  const row = { id, organization_id, token, name, scopes: scopesOf(seed.scopes) };
  state.credentials.put(token, row);
  return row;
}

/** The scopes that a list stands for, which has been read: `'*'` stands for all. */
export function scopesOf(given: CredentialSeed['scopes'] = ['*']): ReadonlySet<Scope> {
  return new Set(given.flatMap((scope) => (scope === '*' ? scopes : [scope as Scope])));
}

/** A token is a secret, and a name is shown: credentials without one are told apart by a number. */
function freeName(others: readonly CredentialRow[]): string {
  const taken = new Set(others.map(({ name }) => name));
  let name = 'API credential';
  for (let count = 2; taken.has(name); count += 1) name = `API credential ${count}`;
  return name;
}
