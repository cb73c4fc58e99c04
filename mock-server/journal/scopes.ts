import { type Scope, scopes } from '../../src/contract/index.js';

/** Records the scopes that the requests needed. Request only these when you create a real credential. */
export class ScopeUse {
  readonly #used = new Map<string, Set<Scope>>();
  readonly #refused = new Set<Scope>();

  /**
   * Returns the scopes that accepted requests needed, in alphabetical order: of all credentials, or of the
   * one with this name.
   */
  used(credential?: string): Scope[] {
    return scopes.filter((scope) =>
      credential === undefined
        ? [...this.#used.values()].some((used) => used.has(scope))
        : this.#used.get(credential)?.has(scope),
    );
  }

  /** Returns the scopes that rejected requests lacked. */
  missing(): Scope[] {
    return scopes.filter((scope) => this.#refused.has(scope));
  }

  clear(): void {
    this.#used.clear();
    this.#refused.clear();
  }

  /** @internal */
  use(credential: string, scope: Scope): void {
    let used = this.#used.get(credential);
    if (!used) {
      used = new Set();
      this.#used.set(credential, used);
    }
    used.add(scope);
  }

  /** @internal */
  refuse(scope: Scope): void {
    this.#refused.add(scope);
  }
}
