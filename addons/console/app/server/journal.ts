import { ref, shallowRef } from 'vue';
import type { AdminApi, JournalEntry } from './admin-api.js';

/**
 * The number of requests to load initially and on each "Load more" click. The server may store more requests.
 */
const step = 1000;

/** How long to collect new requests before listing them, in milliseconds. */
const listDelay = 100;

/** The latest requests to a space. */
export class Journal {
  /** The requests, newest first. */
  readonly entries = shallowRef<JournalEntry[]>([]);
  /** The number of requests in the server's journal, including those that aren't loaded. */
  readonly total = ref(0);

  #limit = step;
  #retries = new RetryFinder();
  /** The requests that have arrived but aren't listed yet, oldest first. */
  #arrived: JournalEntry[] = [];

  async read(api: AdminApi): Promise<void> {
    const [{ requests }, entries] = await Promise.all([
      api.get<{ requests: number }>('/'),
      api.get<JournalEntry[]>(`/requests?limit=${this.#limit}`),
    ]);
    this.#arrived = [];
    this.#retries = new RetryFinder();
    this.entries.value = entries.map((entry) => this.#retries.add(entry)).reverse();
    this.total.value = Math.max(requests, entries.length);
  }

  /** Loads older requests. */
  async readMore(api: AdminApi): Promise<void> {
    this.#limit += step;
    await this.read(api);
  }

  clear(): void {
    this.#arrived = [];
    this.entries.value = [];
    this.total.value = 0;
  }

  /**
   * Lists requests in batches, because a test can send thousands per second.
   *
   * @param onFault called if a fault affected one of the listed requests
   */
  add(entry: JournalEntry, onFault: () => void): void {
    this.#arrived.push(this.#retries.add(entry));
    if (this.#arrived.length > 1) return;
    setTimeout(() => {
      const arrived = new Map(this.#arrived.map((other) => [other.id, other]));
      this.#arrived = [];
      if (arrived.size === 0) return;
      const listed = this.entries.value;
      const others = listed.filter(({ id }) => !arrived.has(id));
      this.total.value += arrived.size - (listed.length - others.length);
      this.entries.value = [...[...arrived.values()].reverse(), ...others].slice(0, this.#limit);
      if ([...arrived.values()].some(({ fault }) => fault !== undefined)) onFault();
    }, listDelay);
  }
}

/** The filters for the request list. An empty string matches all requests. */
export interface JournalFilter {
  method: string;
  operation: string;
  /** The first digit of the status, or `0` for requests without a response. */
  status: string;
  /** Words that must all appear in the request, ignoring case. */
  text: string;
}

export function matches(entry: JournalEntry, { method, operation, status, text }: JournalFilter): boolean {
  return (
    (method === '' || entry.method === method) &&
    (operation === '' || entry.operation === operation) &&
    (status === '' || String(entry.status)[0] === status) &&
    (text === '' || includesWords(entry, text))
  );
}

function includesWords(entry: JournalEntry, text: string): boolean {
  const { id, method, url, operation, credential, code, status, body } = entry;
  const searched = JSON.stringify([id, method, url, operation, credential, code, status, body]).toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
}

export const firstAttemptOf = ({ id, retry }: JournalEntry): string => retry?.of ?? id;

/** The maximum time between a failed request and its retry, in milliseconds on the server's clock. */
const retryWindow = 120_000;

const isRetried = (status: number): boolean =>
  status === 0 || status === 408 || status === 429 || status >= 500;

/** Finds requests that retry a failed request. Add the requests in order of arrival. */
export class RetryFinder {
  readonly #last = new Map<string, { first: string; attempt: number; status: number; at: number }>();

  /** Returns the request, with its attempt number if it's a retry. */
  add(entry: JournalEntry): JournalEntry {
    const { id, method, url, credential, body, status } = entry;
    const key = JSON.stringify([method, url, credential, body]);
    const at = Date.parse(entry.at);
    const last = this.#last.get(key);
    const isRetry = last !== undefined && isRetried(last.status) && Math.abs(at - last.at) <= retryWindow;
    const retry = isRetry ? { of: last.first, attempt: last.attempt + 1 } : undefined;
    // Clients retry only failed requests.
    if (isRetried(status))
      this.#last.set(key, { first: retry?.of ?? id, attempt: retry?.attempt ?? 1, status, at });
    else this.#last.delete(key);
    return retry ? { ...entry, retry } : entry;
  }
}
