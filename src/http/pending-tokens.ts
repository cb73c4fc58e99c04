import type { Token, TokenRequest } from '../options.js';
import { now } from './time-limit.js';

export type TokenFunction = Exclude<Token, string>;

interface PendingToken {
  /** The credential to replace. */
  rejected: string | undefined;
  promise: Promise<unknown>;
  startedAt: number;
  /** The result, if the function returned one. */
  token?: unknown;
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
    if (known) return known.promise;
    const request: TokenRequest = rejected === undefined ? {} : { rejected };
    const pending: PendingToken = {
      rejected,
      promise: Promise.resolve().then(() => getToken(request)),
      startedAt: now(),
    };
    const forget = () => remove(all, (other) => other === pending);
    if (rejected === undefined) pending.promise.then(forget, forget);
    else {
      // Cache the new token for other calls that fail with the old one. If the function returned nothing, the
      // next call runs the function again.
      remove(all, (other) => other.rejected !== undefined);
      pending.promise.then((token) => {
        pending.token = token;
        if (typeof token !== 'string' || !token.trim()) forget();
      }, forget);
    }
    all.push(pending);
    return pending.promise;
  }

  /** Forgets a replacement that the server also rejected, so that the next call requests a new credential. */
  forgetRejected(getToken: TokenFunction, rejected: string): void {
    const all = this.#byFunction.get(getToken) ?? [];
    remove(all, ({ token }) => typeof token === 'string' && token.trim() === rejected);
  }

  /** Forgets a request that may never settle, so that the next call runs the function again. */
  forgetPending(getToken: TokenFunction, rejected: string | undefined, minAgeMs: number): void {
    const all = this.#byFunction.get(getToken) ?? [];
    const latestStart = now() - minAgeMs;
    remove(
      all,
      (other) => other.rejected === rejected && other.token === undefined && other.startedAt <= latestStart,
    );
  }
}

function remove<Item>(items: Item[], matches: (item: Item) => boolean): void {
  for (let index = items.length - 1; index >= 0; index--) {
    if (matches(items[index] as Item)) items.splice(index, 1);
  }
}
