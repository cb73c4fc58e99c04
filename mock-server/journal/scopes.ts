import { type Scope, scopes } from '../../src/contract/index.js';

/**
 * Records the scopes that requests needed. Use them to give a credential in production only the scopes that
 * it needs.
 */
export class ScopeUse {
  readonly #used = new Map<string, Set<Scope>>();
  readonly #missing = new Set<Scope>();

  /**
   * Returns the scopes that accepted requests needed, in alphabetical order.
   *
   * @param credential a credential's name. Defaults to all credentials.
   */
  used(credential?: string): Scope[] {
    return scopes.filter((scope) =>
      credential === undefined
        ? [...this.#used.values()].some((used) => used.has(scope))
        : this.#used.get(credential)?.has(scope),
    );
  }

  /** Returns the scopes that rejected requests were missing. */
  missing(): Scope[] {
    return scopes.filter((scope) => this.#missing.has(scope));
  }

  clear(): void {
    this.#used.clear();
    this.#missing.clear();
  }

  /** Saves the scopes. Returns a function that restores them. @internal */
  capture(): () => void {
    const used = [...this.#used].map(([credential, scopes]) => [credential, [...scopes]] as const);
    const missing = [...this.#missing];
    return () => {
      this.clear();
      for (const [credential, scopes] of used) this.#used.set(credential, new Set(scopes));
      for (const scope of missing) this.#missing.add(scope);
    };
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
  recordMissing(scope: Scope): void {
    this.#missing.add(scope);
  }
}
