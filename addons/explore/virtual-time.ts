/**
 * The platform's own timers, which keep working in virtual time. In browsers, they must be called on
 * `globalThis`.
 */
const real = {
  setTimeout: globalThis.setTimeout.bind(globalThis) as typeof setTimeout,
  clearTimeout: globalThis.clearTimeout.bind(globalThis) as typeof clearTimeout,
  setImmediate: globalThis.setImmediate as ((callback: () => void) => unknown) | undefined,
  now: performance.now.bind(performance),
};

export const realNow = real.now;

/** Calls a function after the given amount of real time. Returns a function that cancels the call. */
export function afterRealTime(milliseconds: number, callback: () => void): () => void {
  const timer = real.setTimeout(callback, Math.min(milliseconds, 2 ** 31 - 1));
  return () => real.clearTimeout(timer);
}

/** Waits for one turn of the event loop. */
export const turn = (): Promise<void> =>
  new Promise((resolve) => {
    if (real.setImmediate) return real.setImmediate(resolve);
    // Use a message channel, because browsers delay nested timers by 4 ms.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });

export type VirtualTime = Pick<VirtualClock, 'restart'>;

/**
 * Runs a function in virtual time. Whenever the function waits, the time jumps to the next timer, so retries,
 * `Retry-After`, and timeouts take no real time.
 *
 * @throws Error if other fake timers are installed
 */
export async function inVirtualTime<Result>(run: (time: VirtualTime) => Promise<Result>): Promise<Result> {
  const clock = new VirtualClock();
  const uninstall = clock.install();
  let isDone = false;
  try {
    const result = run(clock).finally(() => {
      isDone = true;
    });
    result.catch(() => {});
    let idleSince = realNow();
    for (let idle = 0; !isDone; idle++) {
      const before = clock.changes + operations.bodies.size;
      await turn();
      if (idle >= idleTurns) await settled();
      if (clock.changes + operations.bodies.size !== before) {
        idle = 0;
        idleSince = realNow();
      }
      if (idle < idleTurns || operations.crypto.size > 0 || isUsingFiles()) continue;
      if (operations.bodies.size > 0 && realNow() - idleSince < longestBodyRead) continue;
      idle = 0;
      idleSince = realNow();
      // If no timer is pending, the function is waiting for something external, such as another
      // process.
      if (!clock.fireNext()) await new Promise((resolve) => real.setTimeout(resolve, 1));
    }
    return await result;
  } finally {
    uninstall();
  }
}

/** If no timer is set or cleared for this many turns of the event loop, the function counts as waiting. */
const idleTurns = 10;

/** In browsers, waits a moment, because other threads read requests and responses. */
const settled = async (): Promise<void> => {
  if (!real.setImmediate) await new Promise((resolve) => real.setTimeout(resolve, 10));
};

/**
 * The operations that are running in other threads, not counting file operations: WebCrypto and, in browsers,
 * reads of bodies and streams.
 */
const operations = { crypto: new Set<symbol>(), bodies: new Set<symbol>() };

/**
 * The maximum time to wait for a body to be read, in milliseconds. If reading takes longer, it's probably
 * waiting on the workflow, such as for a delayed chunk.
 */
const longestBodyRead = 200;

function isUsingFiles(): boolean {
  const { process } = globalThis as { process?: Partial<NodeJS.Process> };
  return process?.getActiveResourcesInfo?.().some((name) => name.startsWith('FSReq')) ?? false;
}

/** A clock and timers that replace the platform's. */
class VirtualClock {
  #now = Date.now();
  /** The number of times that a timer was set or cleared. */
  changes = 0;
  readonly #timers = new Set<Timer>();

  /** Cancels all timers. Sets the time if `now` is passed. */
  restart(now = this.#now): void {
    this.#timers.clear();
    // Forget pending reads, because a workflow that crashed may wait for a body forever.
    operations.bodies.clear();
    this.#now = now;
  }

  /** Advances the time to the next timer and fires it. Returns false if there is none. */
  fireNext(): boolean {
    let next: Timer | undefined;
    for (const timer of this.#timers) if (!next || timer.at < next.at) next = timer;
    if (!next) return false;
    this.#now = Math.max(this.#now, next.at);
    if (next.interval === undefined) this.#timers.delete(next);
    else this.#schedule(next, next.interval);
    try {
      next.callback();
    } catch (error) {
      // Like an exception in a real timer, this error can't be caught by the workflow.
      void Promise.reject(error);
    }
    return true;
  }

  /** Replaces the platform's timers. Returns a function that restores them. */
  install(): () => void {
    if (isInstalled || 'clock' in setTimeout) {
      throw new Error(
        isInstalled
          ? 'exploreFaults: another exploration is running; await it before you start this one'
          : 'exploreFaults: fake timers are installed; restore the real timers first',
      );
    }
    isInstalled = true;
    const restores = [
      replace(globalThis, this.#globals()),
      replace(performance, { now: () => this.#now }),
      replace(AbortSignal, { timeout: this.#abortAfter }),
      this.#replaceTimersModule(),
      ...countOperations(),
    ];
    return () => {
      for (const restore of restores) restore();
      isInstalled = false;
    };
  }

  #globals() {
    const setTimeout = (callback: Callback, delay?: number, ...args: unknown[]) =>
      this.#add(() => callback(...args), delay);
    Object.assign(setTimeout, { [Symbol.for('nodejs.util.promisify.custom')]: this.#sleep });
    const setInterval = (callback: Callback, delay?: number, ...args: unknown[]) =>
      this.#add(() => callback(...args), delay, true);
    const clear = (timer: unknown) => {
      this.changes++;
      if (!this.#timers.delete(timer as Timer)) real.clearTimeout(timer as never);
    };
    const now = () => this.#now;
    const VirtualDate = new Proxy(Date, {
      construct: (target, args, newTarget) =>
        Reflect.construct(target, args.length > 0 ? args : [this.#now], newTarget),
      apply: () => new Date(this.#now).toString(),
      get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
    });
    return { setTimeout, setInterval, clearTimeout: clear, clearInterval: clear, Date: VirtualDate };
  }

  /** Replaces the separate `setTimeout` in `node:timers/promises` (Node.js only). */
  #replaceTimersModule(): () => void {
    const { process } = globalThis as { process?: Partial<NodeJS.Process> };
    const timers = process?.getBuiltinModule?.('node:timers/promises');
    if (!timers) return () => {};
    const update = () => process?.getBuiltinModule?.('node:module').syncBuiltinESMExports();
    const restore = replace(timers, { setTimeout: this.#sleep });
    update();
    return () => {
      restore();
      update();
    };
  }

  readonly #sleep = <Value>(delay?: number, value?: Value, { signal }: { signal?: AbortSignal } = {}) =>
    new Promise((resolve, reject) => {
      const abort = () => reject(new DOMException('The operation was aborted', 'AbortError'));
      if (signal?.aborted) return abort();
      signal?.addEventListener('abort', abort, { once: true });
      this.#add(() => resolve(value), delay);
    });

  readonly #abortAfter = (delay: number): AbortSignal => {
    const controller = new AbortController();
    this.#add(
      () => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
      delay,
    );
    return controller.signal;
  };

  #add(callback: () => void, delay: number | undefined, isInterval = false): Timer {
    return new Timer(callback, delay, isInterval, (timer, after) => this.#schedule(timer, after));
  }

  /**
   * Moves a timer to the end of the set, so that timers with the same time fire in the order they were set.
   */
  #schedule(timer: Timer, delay: number): void {
    this.changes++;
    timer.at = this.#now + delay;
    this.#timers.delete(timer);
    this.#timers.add(timer);
  }
}

let isInstalled = false;

/** Counts the platform's running operations. Returns functions that restore the patched methods. */
function countOperations(): (() => void)[] {
  const counters = globalThis.crypto?.subtle
    ? [countCalls(Object.getPrototypeOf(crypto.subtle), 'crypto')]
    : [];
  // Node.js reads bodies on its event loop, so these reads don't have to be counted.
  if (real.setImmediate) return counters;
  const bodyReaders = [Request.prototype, Response.prototype, ReadableStreamDefaultReader.prototype];
  return [...counters, ...bodyReaders.map((prototype) => countCalls(prototype, 'bodies'))];
}

const asynchronous = /^(text|json|arrayBuffer|blob|bytes|formData|read)$/;

function countCalls(prototype: object, kind: keyof typeof operations): () => void {
  const counting = Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(
    ([name, { value }]) => {
      if (typeof value !== 'function' || name === 'constructor') return [];
      if (kind === 'bodies' && !asynchronous.test(name)) return [];
      const method = async function (this: unknown, ...args: unknown[]) {
        const operation = Symbol(name);
        operations[kind].add(operation);
        try {
          return await value.apply(this, args);
        } finally {
          operations[kind].delete(operation);
        }
      };
      return [[name, method] as const];
    },
  );
  return replace(prototype, Object.fromEntries(counting));
}

type Callback = (...args: unknown[]) => void;

/** A timer with the same methods as the timers in Node.js. */
class Timer {
  at = 0;
  readonly interval: number | undefined;
  readonly callback: () => void;
  readonly refresh: () => this;

  constructor(
    callback: () => void,
    delay: unknown,
    isInterval: boolean,
    schedule: (timer: Timer, delay: number) => void,
  ) {
    const after = Math.max(1, Number(delay) || 1);
    this.callback = callback;
    this.interval = isInterval ? after : undefined;
    this.refresh = () => {
      schedule(this, after);
      return this;
    };
    this.refresh();
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }
}

/** Replaces properties of an object. Returns a function that restores them. */
function replace(target: object, replacements: object): () => void {
  const originals = Object.keys(replacements).map(
    (name) => [name, Object.getOwnPropertyDescriptor(target, name)] as const,
  );
  for (const [name, value] of Object.entries(replacements)) {
    Object.defineProperty(target, name, { value, configurable: true, writable: true, enumerable: true });
  }
  return () => {
    for (const [name, descriptor] of originals) {
      if (descriptor) Object.defineProperty(target, name, descriptor);
      else Reflect.deleteProperty(target, name);
    }
  };
}
