import type { Scope } from '../../src/contract/index.js';
import { loadCredential, scopesOf } from '../seed/load-people.js';
import { readSeed } from '../seed/read-world.js';
import { SeedError } from '../seed/seed-error.js';
import type { CredentialSeed } from '../seed/world.js';
import type { CredentialRow } from '../state/rows.js';
import type { State } from '../state/state.js';
import type { CredentialView } from './state-view.js';

/**
 * The credentials of a running server: what a person would do in the settings of the real one.
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
   * Adds a credential; every scope by default.
   *
   * @param seed `organization` by id, the first one by default; a token is made up where none is given
   * @throws SeedError for a token that is taken or an organization that is not there
   */
  add({
    organization,
    ...seed
  }: Partial<CredentialSeed> & { organization?: string | undefined } = {}): CredentialView {
    const [first] = this.#state.organizations.values();
    const id = organization ?? first?.id ?? '';
    if (!this.#state.organizations.has(id)) {
      throw new SeedError('credential.organization', `there is no organization ${JSON.stringify(id)}`);
    }
    const read = readSeed('credential', { token: this.#freeToken(), ...seed }) as CredentialSeed;
    return view(loadCredential(this.#state, id, read, 'credential'));
  }

  /** Makes a token worthless: from the next request on the answer is 401. */
  revoke(token: string): void {
    this.#find(token);
    this.#state.credentials.remove(token);
  }

  /**
   * Gives a credential other scopes than it had.
   *
   * @throws SeedError where there is no such credential, or no list of scopes
   */
  setScopes(token: string, scopes: readonly (Scope | '*')[]): CredentialView {
    const { token: _, ...row } = this.#find(token);
    // A seed without scopes has them all: what was to take scopes away must not give the rest.
    if (scopes === undefined) throw new SeedError('credential.scopes', "is required; ['*'] stands for all");
    const read = readSeed('credential', { token, scopes }) as CredentialSeed;
    const next = { ...row, token, scopes: scopesOf(read.scopes) };
    this.#state.credentials.put(token, next);
    return view(next);
  }

  /** Gives a credential another token, as when it is rotated; the old one becomes worthless. */
  rotate(token: string, next: string = this.#freeToken()): CredentialView {
    const row = this.#find(token);
    readSeed('credential', { token: next });
    if (this.#state.credentials.has(next)) {
      throw new SeedError('credential.token', `${JSON.stringify(next)} is taken by another credential`);
    }
    this.#state.credentials.remove(token);
    this.#state.credentials.put(next, { ...row, token: next });
    return view({ ...row, token: next });
  }

  #find(token: string): CredentialRow {
    const row = this.#state.credentials.get(token);
    if (!row)
      throw new SeedError('credential', `there is no credential with the token ${JSON.stringify(token)}`);
    return row;
  }

  /** A token that no credential has or had: one that was revoked must stay worthless. */
  #freeToken(): string {
    return `wt_${this.#state.newId({ has: (id) => this.#state.credentials.has(`wt_${id}`) })}`;
  }
}

const view = (row: CredentialRow): CredentialView => ({ ...row, scopes: [...row.scopes] });
