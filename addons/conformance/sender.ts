import { fetchOnce, onAbort, race, readText, TimeLimit } from '../../src/internal.js';
import { LostResponse, Mismatch, NotCheckable } from './expectations.js';

export interface SenderOptions {
  fetch: typeof fetch | undefined;
  /** The maximum number of requests to send. Cleanup requests count toward the limit but are always sent. */
  maxRequests: number;
  /** The maximum total time that a request waits after 429 responses, in milliseconds. */
  maxRateLimitWait: number;
  /** The timeout for each request, including its response body, in milliseconds. */
  timeout: number;
  /** The maximum size of a response body, in bytes. */
  maxResponseBytes: number;
  /** Resolves after this many milliseconds. */
  wait(milliseconds: number): Promise<void>;
  signal?: AbortSignal | undefined;
}

interface Request {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
}

/**
 * The purpose of a request: checking a rule, creating a record that must be deleted later, or deleting such a
 * record.
 */
export type Purpose = keyof typeof graceAfterStop;

/**
 * How long a request can continue after the run is stopped, in milliseconds. Requests that create records get
 * more time than checks, because their responses contain the IDs needed to delete the records.
 */
const graceAfterStop = { check: 200, creation: 1000, cleanup: 3000 };

/**
 * Sends a run's requests the way the client does, without following redirects. Waits after a
 * 429 response, and stays within the time limits and the request budget.
 */
export class Sender {
  readonly #options: SenderOptions;
  readonly #stopped: Promise<void>;
  /** The number of requests that were sent, including retries and cleanup. */
  requestCount = 0;
  /** Whether the deployment has ever responded. */
  hasResponded = false;
  /** Whether the deployment has ever responded with a status other than 401 to a request with the run's token. */
  isTokenAccepted = false;
  /**
   * Whether a cleanup request received no response after the run was stopped. If so, no more requests are
   * sent, because each of them would wait just as long.
   */
  #isUnresponsive = false;

  constructor(options: SenderOptions) {
    this.#options = options;
    const { signal } = options;
    this.#stopped = new Promise((resolve) => {
      signal?.addEventListener('abort', () => resolve());
    });
  }

  /**
   * Sends a request and retries it after a 429. Cleanup requests are sent even if the budget is used up and,
   * for a short time, even after the run is aborted.
   *
   * @throws NotCheckable if the deployment keeps responding with 429, the budget is used up, or the run is
   * aborted
   * @throws LostResponse if the connection fails, or if the run is aborted while the request is in flight
   * @throws Mismatch if the response is too long
   * @throws TypeError if the deployment has never responded
   */
  async send(request: Request, purpose: Purpose): Promise<{ status: number; text: string }> {
    const { maxRequests, maxRateLimitWait, wait, signal } = this.#options;
    const isCleanup = purpose === 'cleanup';
    let waited = 0;
    for (let attempt = 0; ; attempt += 1) {
      if (!isCleanup && signal?.aborted) throw new NotCheckable(stopped);
      if (isCleanup && this.#isUnresponsive)
        throw new NotCheckable(`${stopped}, and the deployment doesn't respond`);
      if (!isCleanup && this.requestCount >= maxRequests) {
        throw new NotCheckable(`the limit of ${maxRequests} requests was reached`);
      }
      this.requestCount += 1;
      const { status, text, retryAfter } = await this.#sendOnce(request, purpose);
      if (status !== 429) return { status, text };
      const delay = retryDelay(retryAfter, attempt);
      waited += delay;
      if (waited > (isCleanup ? cleanupWaitFactor * maxRateLimitWait : maxRateLimitWait)) {
        throw new NotCheckable(
          `rate-limited: still 429 after ${attempt + 1} requests (Retry-After ${Math.ceil(delay / 1000)} s)`,
        );
      }
      await (isCleanup ? wait(delay) : this.wait(delay));
    }
  }

  /** Resolves after this many milliseconds, or when the run is stopped. */
  async wait(milliseconds: number): Promise<void> {
    await Promise.race([this.#options.wait(milliseconds), this.#stopped]);
  }

  async #sendOnce(request: Request, purpose: Purpose) {
    const { timeout, maxResponseBytes, signal } = this.#options;
    const stop = new AbortController();
    const limit = new TimeLimit(timeout, stop.signal);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const removeListener =
      signal &&
      onAbort(signal, () => {
        timer = setTimeout(() => stop.abort(new LostResponse(stopped)), graceAfterStop[purpose]);
      });
    try {
      const { url, body = null, ...others } = request;
      const init = { ...others, body, signal: limit.signal };
      const response = await race(fetchOnce(url, init, this.#options.fetch), limit);
      const { text, failure, isTooLong } = await readText(response, limit, maxResponseBytes);
      if (failure) throw failure;
      this.hasResponded = true;
      if (isTooLong) throw new Mismatch(`the response is longer than ${maxResponseBytes} bytes`);
      return { status: response.status, text, retryAfter: response.headers.get('retry-after') };
    } catch (error) {
      throw this.#errorOf(error, limit, purpose);
    } finally {
      removeListener?.();
      clearTimeout(timer);
      limit.close();
    }
  }

  #errorOf(error: unknown, limit: TimeLimit, purpose: Purpose): unknown {
    const { timeout } = this.#options;
    if (error instanceof Mismatch) return error;
    if (limit.reason instanceof LostResponse) {
      this.#isUnresponsive ||= purpose === 'cleanup';
      return limit.reason;
    }
    const reason = limit.aborted ? `no response within ${timeout / 1000} s` : (error as Error).message;
    // A connection failure ends the run only if the deployment has never responded. Otherwise, it affects
    // only the current rule.
    if (this.hasResponded) return new LostResponse(`the connection failed: ${reason}`);
    return limit.aborted ? new TypeError(reason) : error;
  }
}

const stopped = 'the run was stopped';

/**
 * The factor by which cleanup requests can wait longer than other requests. If cleanup fails, nothing else
 * deletes the records.
 */
const cleanupWaitFactor = 5;

/**
 * Returns how long to wait after a 429, in milliseconds. Without a valid `Retry-After` header, the delay
 * starts at one second and doubles each time.
 */
function retryDelay(header: string | null, attempt: number): number {
  const text = header ?? '';
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  // Wait at least one second, because otherwise `Retry-After: 0` would mean no delay at all.
  return Math.max(1, Number.isFinite(seconds) ? seconds : 2 ** attempt) * 1000;
}
