import { NotCheckable } from './expectations.js';

export interface SenderOptions {
  fetch: typeof fetch;
  /** The maximum number of requests to send. Cleanup requests count toward the limit but are always sent. */
  maxRequests: number;
  /** The maximum total time a request waits after 429 responses, in milliseconds. */
  maxRateLimitWait: number;
  /** Resolves after this many milliseconds. */
  wait(milliseconds: number): Promise<void>;
  signal?: AbortSignal | undefined;
}

/** Sends a run's requests. Waits after a 429 response and stays within the request budget. */
export class Sender {
  readonly #options: SenderOptions;
  readonly #stopped: Promise<void>;
  #sent = 0;
  #hasResponded = false;

  constructor(options: SenderOptions) {
    this.#options = options;
    const { signal } = options;
    this.#stopped = new Promise((resolve) => {
      signal?.addEventListener('abort', () => resolve());
    });
  }

  /** The number of requests that were sent, including retries and cleanup. */
  get requestCount(): number {
    return this.#sent;
  }

  /** Whether the deployment has ever responded. */
  get hasResponded(): boolean {
    return this.#hasResponded;
  }

  /**
   * Sends a request and retries it after a 429.
   *
   * @param isCleanup whether the request deletes a created record; such requests ignore the budget and the
   * abort signal
   * @throws NotCheckable if the deployment keeps responding with 429, the budget is used up, or the run is
   * aborted
   * @throws TypeError if the deployment has never responded
   */
  async send(url: string, init: RequestInit, isCleanup: boolean): Promise<{ status: number; text: string }> {
    const { maxRequests, maxRateLimitWait, wait, signal } = this.#options;
    let waited = 0;
    for (let attempt = 0; ; attempt += 1) {
      if (!isCleanup && signal?.aborted) throw new NotCheckable('the run was stopped');
      if (!isCleanup && this.#sent >= maxRequests) {
        throw new NotCheckable(`the budget of ${maxRequests} requests is used up`);
      }
      this.#sent += 1;
      const { status, text, retryAfter } = await this.#request(url, init);
      if (status !== 429) return { status, text };
      const delay = retryDelay(retryAfter, attempt);
      waited += delay;
      if (waited > (isCleanup ? cleanupWaitFactor * maxRateLimitWait : maxRateLimitWait)) {
        throw new NotCheckable(
          `rate-limited: still 429 after ${attempt + 1} requests (Retry-After ${Math.ceil(delay / 1000)} s)`,
        );
      }
      await (isCleanup ? wait(delay) : Promise.race([wait(delay), this.#stopped]));
    }
  }

  async #request(url: string, init: RequestInit) {
    try {
      const response = await this.#options.fetch(url, init);
      const text = await response.text();
      this.#hasResponded = true;
      return { status: response.status, text, retryAfter: response.headers.get('retry-after') };
    } catch (error) {
      // The run fails only if the deployment has never responded. A later failure affects only the current
      // rule.
      if (!this.#hasResponded) throw error;
      throw new NotCheckable(`the connection failed: ${(error as Error).message}`);
    }
  }
}

/** Cleanup can wait this many times longer than a rule, because nothing else would delete the records. */
const cleanupWaitFactor = 5;

/**
 * Returns how long to wait after a 429, in milliseconds. Without a valid `Retry-After` header, the delay
 * starts at one second and doubles each time.
 */
function retryDelay(header: string | null, attempt: number): number {
  const text = header ?? '';
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  // Waits at least one second, because `Retry-After: 0` would mean no delay between requests.
  return Math.max(1, Number.isFinite(seconds) ? seconds : 2 ** attempt) * 1000;
}
