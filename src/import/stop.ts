import { setMaxListeners } from 'node:events';

/** The grace period for in-flight requests after an import is stopped, in milliseconds. */
const grace = 5000;

/** Stops an import early and interrupts its waits and requests. */
export class Stop {
  /** The first error that affects every row. */
  failure: { cause: unknown } | undefined;
  readonly #controller = new AbortController();
  readonly #requests = new AbortController();
  readonly #signal: AbortSignal | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
    // Each row in progress adds a listener, so the number of listeners must not be limited.
    setMaxListeners(0, this.#controller.signal);
    signal?.addEventListener('abort', this.#end);
    if (signal?.aborted) this.#end();
  }

  get isStopped(): boolean {
    return this.#controller.signal.aborted;
  }

  /** The signal for requests. It aborts after a delay so that most requests can finish. */
  get requests(): AbortSignal {
    return this.#requests.signal;
  }

  fail(cause: unknown): void {
    this.failure ??= { cause };
    this.#end();
  }

  /** Waits for the given time or until the import is stopped. @returns false if the import was stopped */
  async wait(milliseconds: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const waited = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, Math.min(milliseconds, 2 ** 31 - 1), true);
    });
    const result = await this.race(waited);
    clearTimeout(timer);
    return result === true;
  }

  /** @returns the promise's value, or undefined if the import is stopped first */
  race<Value>(promise: Promise<Value>): Promise<Value | undefined> {
    const { signal } = this.#controller;
    return new Promise((resolve, reject) => {
      const stopped = () => resolve(undefined);
      if (signal.aborted) stopped();
      signal.addEventListener('abort', stopped);
      promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stopped));
    });
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#end);
  }

  readonly #end = (): void => {
    if (this.isStopped) return;
    this.#controller.abort();
    this.#timer = setTimeout(() => this.#requests.abort(), grace);
  };
}
