/** The part of undici's `Dispatcher` that fetch uses. */
interface Dispatcher {
  readonly isMockActive?: boolean | undefined;
  dispatch(options: object, handler: Handler): boolean;
}

/** Receives a request's events. */
type Handler = Record<string, ((...details: unknown[]) => unknown) | undefined>;

/**
 * Observes a request sent by the fetch of Node.js, which is part of undici. Pass the observer to fetch as the
 * `dispatcher` option. It provides what fetch doesn't:
 *
 * - whether any part of the request was written before the connection failed
 * - a way to stop fetch from sending the request again after a 421, which it does even for a POST
 * - errors from decompression after the last byte has arrived: in Node.js 20, reading the body then never ends
 */
export class FetchObserver implements Dispatcher {
  /** Undefined if fetch never used the observer. */
  requestWritten: boolean | undefined;
  /** Whether the response was a 421, after which fetch tries to send the request again. */
  wasMisdirected = false;
  readonly #inner: Dispatcher;
  #failure: [unknown] | undefined;
  #onFailure: ((failure: unknown) => void) | undefined;

  /**
   * @param chosen the dispatcher in the `fetchOptions` option, if any
   * @returns undefined in runtimes that don't use undici
   */
  static create(chosen: unknown): FetchObserver | undefined {
    const inner = (chosen ?? (globalThis as GlobalDispatcher)[globalDispatcher]) as Dispatcher | undefined;
    return typeof inner?.dispatch === 'function' ? new FetchObserver(inner) : undefined;
  }

  private constructor(inner: Dispatcher) {
    this.#inner = inner;
  }

  get isMockActive(): boolean | undefined {
    return this.#inner.isMockActive;
  }

  dispatch(options: object, handler: Handler): boolean {
    if (this.wasMisdirected) throw new Error('the server responded with 421 (Misdirected Request)');
    this.requestWritten ??= false;
    const written = () => {
      this.requestWritten = true;
    };
    const responded = (status: unknown) => {
      this.wasMisdirected = status === 421;
    };
    // undici 8 renamed these methods.
    before(handler, 'onConnect', written);
    before(handler, 'onRequestStart', written);
    before(handler, 'onHeaders', responded);
    before(handler, 'onResponseStart', (_, status) => responded(status));
    before(handler, 'onError', (failure) => this.#fail(failure));
    before(handler, 'onResponseError', (_, failure) => this.#fail(failure));
    return this.#inner.dispatch(options, handler);
  }

  /** Calls the listener if the exchange fails, or immediately if it has failed. */
  onFailure(listener: (failure: unknown) => void): void {
    if (this.#failure) listener(this.#failure[0]);
    else this.#onFailure = listener;
  }

  #fail(failure: unknown): void {
    this.#failure = [failure];
    this.#onFailure?.(failure);
  }
}

/** Calls the observer before a handler's method. */
function before(handler: Handler, name: string, observer: (...details: unknown[]) => void): void {
  const method = handler[name];
  if (!method) return;
  handler[name] = (...details) => {
    observer(...details);
    return method.apply(handler, details);
  };
}

/** All copies of undici, including the one in Node.js, share their global dispatcher under this symbol. */
const globalDispatcher = Symbol.for('undici.globalDispatcher.1');

type GlobalDispatcher = { [globalDispatcher]?: unknown };
