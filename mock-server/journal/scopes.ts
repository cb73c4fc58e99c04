import { type Scope, scopes } from '../../src/contract/index.js';

/**
 * Which scopes the requests really needed: what to ask for, and no more, when a real credential
 * is made.
 */
export class ScopeUse {
  readonly #used = new Map<string, Set<Scope>>();
  readonly #refused = new Set<Scope>();

  /** Scopes that let a request through, of all credentials or of the one of that name, in alphabetical order. */
  used(credential?: string): Scope[] {
    return scopes.filter((scope) =>
      credential === undefined
        ? [...this.#used.values()].some((used) => used.has(scope))
        : this.#used.get(credential)?.has(scope),
    );
  }

  /** Scopes that requests were refused for lack of. */
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
