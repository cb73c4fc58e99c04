import type { Token, TokenRequest } from '../options.js';

export type TokenFunction = Exclude<Token, string>;

interface PendingToken {
  /** The credential to replace. */
  rejected: string | undefined;
  token: Promise<unknown>;
}

/**
 * Shares the results of token functions. Concurrent calls run the function only once. All calls that fail
 * with the same rejected credential share its replacement.
 */
export class PendingTokens {
  readonly #byFunction = new WeakMap<TokenFunction, PendingToken[]>();

  request(getToken: TokenFunction, rejected: string | undefined): Promise<unknown> {
    const all = this.#byFunction.get(getToken) ?? [];
    this.#byFunction.set(getToken, all);
    const known = all.find((pending) => pending.rejected === rejected);
    if (known) return known.token;
    const request: TokenRequest = rejected === undefined ? {} : { rejected };
    const pending = { rejected, token: Promise.resolve().then(() => getToken(request)) };
    const forget = () => {
      const index = all.indexOf(pending);
      if (index >= 0) all.splice(index, 1);
    };
    if (rejected === undefined) pending.token.then(forget, forget);
    else {
      // The replacement is cached for calls that fail later with the old credential. If the function returns
      // nothing, or the rejected credential again, the next call runs the function again.
      const earlier = all.findIndex((other) => other.rejected !== undefined);
      if (earlier >= 0) all.splice(earlier, 1);
      const isUsable = (token: unknown) =>
        typeof token === 'string' && (token.trim() || rejected) !== rejected;
      pending.token.then((token) => isUsable(token) || forget(), forget);
    }
    all.push(pending);
    return pending.token;
  }
}
