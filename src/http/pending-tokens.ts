import type { Token, TokenRequest } from '../options.js';

export type TokenFunction = Exclude<Token, string>;

interface PendingToken {
  /** The credential to replace. */
  rejected: string | undefined;
  promise: Promise<unknown>;
  startedAt: number;
  /** The replacement, once the function has returned one. */
  token?: string;
}

/**
 * Shares the results of token functions. Concurrent calls run the function only once. All calls that fail
 * with the same rejected credential share its replacement.
 */
export class PendingTokens {
  readonly #first = new WeakMap<TokenFunction, PendingToken>();
  /** The replacements for the credentials that were rejected last. */
  readonly #replacements = new WeakMap<TokenFunction, PendingToken>();

  request(getToken: TokenFunction, rejected: string | undefined): Promise<unknown> {
    const known = this.#mapFor(rejected);
    const shared = known.get(getToken);
    if (shared && shared.rejected === rejected) return shared.promise;
    const request: TokenRequest = rejected === undefined ? {} : { rejected };
    const promise = Promise.resolve().then(() => getToken(request));
    const pending: PendingToken = { rejected, promise, startedAt: performance.now() };
    known.set(getToken, pending);
    const forget = () => {
      if (known.get(getToken) === pending) known.delete(getToken);
    };
    promise.then((token) => {
      // Keep a replacement for other calls that fail with the old token. If the function returned nothing, the
      // next call runs the function again.
      if (rejected !== undefined && typeof token === 'string' && token.trim()) pending.token = token.trim();
      else forget();
    }, forget);
    return promise;
  }

  /** Forgets a replacement that the server also rejected, so that the next call requests a new credential. */
  forgetRejected(getToken: TokenFunction, rejected: string): void {
    if (this.#replacements.get(getToken)?.token === rejected) this.#replacements.delete(getToken);
  }

  /** Forgets a request that may never settle, so that the next call runs the function again. */
  forgetPending(getToken: TokenFunction, rejected: string | undefined, minAgeMs: number): void {
    const known = this.#mapFor(rejected);
    const pending = known.get(getToken);
    if (!pending || pending.rejected !== rejected || pending.token !== undefined) return;
    if (performance.now() - pending.startedAt >= minAgeMs) known.delete(getToken);
  }

  #mapFor(rejected: string | undefined): WeakMap<TokenFunction, PendingToken> {
    return rejected === undefined ? this.#first : this.#replacements;
  }
}
