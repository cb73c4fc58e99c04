import { type Scope, scopes } from '../../src/contract/index.js';

/**
 * Records the scopes that requests needed. Use them to limit a production credential to the scopes that it
 * needs.
 */
export class ScopeUse {
  /** Each entry contains a scope and a credential's name, such as `tickets:read Web app`. */
  #used: ReadonlySet<string> = new Set();
  #missing: ReadonlySet<Scope> = new Set();

  /**
   * Returns the scopes that requests used, in alphabetical order. Scopes that a credential lacked aren't
   * included.
   *
   * @param credential a credential's name. Defaults to all credentials.
   */
  used(credential?: string): Scope[] {
    return scopes.filter((scope) =>
      credential === undefined
        ? [...this.#used].some((use) => use.startsWith(`${scope} `))
        : this.#used.has(`${scope} ${credential}`),
    );
  }

  /** Returns the scopes that the credentials of rejected requests lacked. */
  missing(): Scope[] {
    return scopes.filter((scope) => this.#missing.has(scope));
  }

  clear(): void {
    this.#used = new Set();
    this.#missing = new Set();
  }

  /** Saves the scopes. Returns a function that restores them. @internal */
  checkpoint(): () => void {
    const [used, missing] = [this.#used, this.#missing];
    return () => {
      [this.#used, this.#missing] = [used, missing];
    };
  }

  /** @internal */
  use(credential: string, scope: Scope): void {
    const use = `${scope} ${credential}`;
    if (!this.#used.has(use)) this.#used = new Set(this.#used).add(use);
  }

  /** @internal */
  recordMissing(scope: Scope): void {
    this.#missing = new Set(this.#missing).add(scope);
  }
}
