import { type Role, type Scope, scopes } from '../../src/contract/index.js';
import { NamePool, slugOf } from '../state/boards.js';
import type { CredentialRow, UserRow } from '../state/rows.js';
import type { State } from '../state/state.js';
import { idFor, type NoFields } from './seed-context.js';
import { SeedError } from './seed-error.js';
import type { CredentialSeed, UserSeed } from './world.js';

export function loadUser(state: State, organization_id: string, seed: UserSeed, path: string): UserRow {
  const {
    id: wantedId,
    name,
    email = `${slugOf(name) || 'user'}@example.com`,
    role = 'member',
    ...rest
  } = seed;
  rest satisfies NoFields;
  const id = idFor(state, state.users, wantedId, path);
  const user: UserRow = { id, organization_id, name, email, role: role as Role };
  state.users.put(user.id, user);
  state.userOrder.append(state.organizations.slotOf(organization_id), state.users.slotOf(user.id));
  return user;
}

/** The IDs and names of credentials that are already taken. */
export interface TakenCredentials {
  ids: Set<string>;
  names: NamePool;
}

/** Returns the IDs of all credentials and the names of the organization's credentials. */
export function takenCredentials(state: State, organization: string): TakenCredentials {
  const rows = [...state.credentials.values()];
  return {
    ids: new Set(rows.map(({ id }) => id)),
    names: new NamePool(
      rows.filter(({ organization_id }) => organization_id === organization).map(({ name }) => name),
    ),
  };
}

export function loadCredential(
  state: State,
  organization_id: string,
  seed: CredentialSeed,
  path: string,
  { ids, names } = takenCredentials(state, organization_id),
): CredentialRow {
  // Number the default names so that they're unique, because credentials are always shown by name, never by
  // token.
  const {
    id: wantedId,
    token,
    name = names.free('API credential', ' '),
    scopes: wantedScopes,
    ...rest
  } = seed;
  rest satisfies NoFields;
  if (state.credentials.has(token)) {
    throw new SeedError(`${path}.token`, `${JSON.stringify(token)} is already used by another credential`);
  }
  const id = idFor(state, ids, wantedId, path);
  const row = { id, organization_id, token, name, scopes: scopesOf(wantedScopes) };
  ids.add(id);
  names.add(name);
  state.credentials.put(token, row);
  return row;
}

/** Expands `'*'` in a validated list to all scopes. */
export function scopesOf(list: CredentialSeed['scopes'] = ['*']): ReadonlySet<Scope> {
  return new Set(list.flatMap((scope) => (scope === '*' ? scopes : [scope as Scope])));
}
