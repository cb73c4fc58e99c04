import { race } from '../shared/abort.js';

/** The maximum number of lost calls to remember. */
const maxLost = 1000;

/** The `findOrCreate` calls with a key. Shared by all clients that are derived from each other. */
export class KeyedCalls {
  readonly #running = new Map<string, Promise<unknown>>();
  /** The names of failed calls that could still create a record. */
  readonly #lost = new Set<string>();
  readonly #functions = new WeakMap<object, number>();
  #count = 0;

  /** Returns a name for a call. Only calls with the same credential and the same parts have the same name. */
  nameOf(token: unknown, ...parts: unknown[]): string {
    if (typeof token !== 'function') return JSON.stringify([token, ...parts]);
    const number = this.#functions.get(token) ?? ++this.#count;
    this.#functions.set(token, number);
    return JSON.stringify([{ number }, ...parts]);
  }

  /**
   * Makes at most one call per name at a time. Other calls with the same name wait for the result, and are
   * made only if the first one fails.
   */
  async share<Result>(name: string, signal: AbortSignal, call: () => Promise<Result>): Promise<Result> {
    for (let other = this.#running.get(name); other; other = this.#running.get(name)) {
      try {
        return (await race(other, signal)) as Result;
      } catch {
        signal.throwIfAborted();
      }
    }
    const result = call();
    this.#running.set(name, result);
    try {
      return await result;
    } finally {
      this.#running.delete(name);
    }
  }

  /** Whether an earlier call with this name failed and could still create a record. */
  isLost(name: string): boolean {
    return this.#lost.has(name);
  }

  setLost(name: string, isLost: boolean): void {
    this.#lost.delete(name);
    if (isLost) this.#lost.add(name);
    for (const oldest of this.#lost) if (this.#lost.size > maxLost) this.#lost.delete(oldest);
  }
}
