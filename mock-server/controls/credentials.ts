import type { Scope } from '../../src/contract/index.js';
import { loadCredential, scopesOf } from '../seed/load-people.js';
import { readSeed } from '../seed/read-world.js';
import { SeedError } from '../seed/seed-error.js';
import type { CredentialSeed } from '../seed/world.js';
import type { CredentialRow } from '../state/rows.js';
import type { State } from '../state/state.js';
import type { CredentialView } from './state-view.js';

/** A credential to add to a running server. By default, the token is generated. */
export interface NewCredential extends Partial<CredentialSeed> {
  /** The organization's ID. Defaults to the first organization. */
  organization?: string | undefined;
}

/**
 * Adds, revokes, and changes credentials on a running server.
 *
 * @example
 * const { token } = mock.credentials.add({ name: 'Read only', scopes: ['tickets:read'] });
 * mock.credentials.revoke(token);
 */
export class Credentials {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  /**
   * Adds a credential. By default, it has every scope.
   *
   * @throws SeedError if the token is taken, the organization doesn't exist, or a field is invalid
   */
  add(seed: NewCredential = {}): CredentialView {
    const [first] = this.#state.organizations.values();
    const { organization = first?.id ?? '', ...fields } = readSeed('credential', {
      token: this.#freeToken(),
      ...seed,
    }) as CredentialSeed & NewCredential;
    if (!this.#state.organizations.has(organization)) {
      throw new SeedError('credential.organization', `unknown organization ${JSON.stringify(organization)}`);
    }
    return view(loadCredential(this.#state, organization, fields, 'credential'));
  }

  /**
   * Revokes a token. The server responds with 401 to later requests that use it.
   *
   * @throws SeedError if the credential doesn't exist
   */
  revoke(token: string): void {
    this.#find(token);
    this.#state.credentials.remove(token);
  }

  /**
   * Replaces a credential's scopes.
   *
   * @throws SeedError if the credential doesn't exist or the scopes are invalid
   */
  setScopes(token: string, scopes: readonly (Scope | '*')[]): CredentialView {
    const { token: _, ...row } = this.#find(token);
    // In seed data, a credential without `scopes` has all scopes. Here, the same default could grant scopes
    // by accident.
    if (scopes === undefined)
      throw new SeedError('credential.scopes', "is required; use ['*'] for all scopes");
    const read = readSeed('credential', { token, scopes }) as CredentialSeed;
    const next = { ...row, token, scopes: scopesOf(read.scopes) };
    this.#state.credentials.put(token, next);
    return view(next);
  }

  /**
   * Replaces a credential's token. The old token becomes invalid.
   *
   * @param next the new token. Defaults to a generated one.
   * @throws SeedError if the credential doesn't exist, or if the new token is taken or invalid
   */
  rotate(token: string, next: string = this.#freeToken()): CredentialView {
    const row = this.#find(token);
    readSeed('credential', { token: next });
    if (this.#state.credentials.has(next)) {
      throw new SeedError(
        'credential.token',
        `${JSON.stringify(next)} is already used by another credential`,
      );
    }
    this.#state.credentials.remove(token);
    this.#state.credentials.put(next, { ...row, token: next });
    return view({ ...row, token: next });
  }

  #find(token: string): CredentialRow {
    const row = this.#state.credentials.get(token);
    if (!row) throw new SeedError('credential', `no credential has the token ${JSON.stringify(token)}`);
    return row;
  }

  /** Generates a token that has never been used before, because revoked tokens must stay invalid. */
  #freeToken(): string {
    return `wt_${this.#state.newId({ has: (id) => this.#state.credentials.has(`wt_${id}`) })}`;
  }
}

const view = (row: CredentialRow): CredentialView => ({ ...row, scopes: [...row.scopes] });
