import type { JournalEntry } from '../server/types.js';
import { targetOf } from '../snippets/snippets.js';

/** Returns the operation's ID, or the reason why no operation handled the request. */
export function operationNameOf({ operation, code }: JournalEntry): string {
  return operation ?? (code === 'method_not_allowed' ? 'wrong method' : 'unknown path');
}

/** Returns the credential's name, or the reason why there is none. */
export function credentialNameOf({ credential, code, operation, headers }: JournalEntry): string {
  if (credential !== undefined) return credential;
  // A hidden header value means that the request contained a token.
  const sentToken = Object.values(headers ?? {}).includes('[hidden]');
  if (code === 'invalid_credential') return sentToken ? 'unknown token' : 'no token';
  return operation === undefined ? 'not checked' : sentToken ? 'unknown token' : 'no token';
}

/** Returns the path and query without the prefix that all requests share. */
export const pathOf = (entry: JournalEntry): string => targetOf(entry).replace(/^.*?\/api\/v\d+(?=\/)/, '');

/** Returns the time of day according to the server's clock. */
export const timeOf = ({ at }: JournalEntry): string => at.slice(11, 19);

export function durationText(milliseconds: number): string {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`;
}

export function sizeText(bytes: number | undefined): string {
  if (bytes === undefined) return '–';
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`;
}

export interface RequestRow {
  entry: JournalEntry;
  /** Set if the request was retried: the ID of its first attempt, and the number of listed attempts. */
  group?: { first: string; attempts: number; isOpen: boolean };
  /** Whether the row is an earlier attempt at a request in a row above. */
  isEarlier?: boolean;
}

/**
 * Converts requests to rows. A retried request has one row for its latest attempt, followed by the earlier
 * attempts if the group is expanded.
 */
export function toRows(entries: readonly JournalEntry[], opened: ReadonlySet<string>, selected: string) {
  const groups = new Map<string, JournalEntry[]>();
  for (const entry of entries) {
    const first = firstAttemptOf(entry);
    const group = groups.get(first);
    if (group) group.push(entry);
    else groups.set(first, [entry]);
  }
  return [...groups].flatMap(([first, group]): RequestRow[] => {
    const [latest, ...earlier] = group as [JournalEntry, ...JournalEntry[]];
    if (earlier.length === 0) return [{ entry: latest }];
    const isOpen = opened.has(first) || earlier.some(({ id }) => id === selected);
    const row = { entry: latest, group: { first, attempts: group.length, isOpen } };
    return isOpen ? [row, ...earlier.map((entry) => ({ entry, isEarlier: true }))] : [row];
  });
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
    // Only a failed request can be retried.
    if (isRetried(status))
      this.#last.set(key, { first: retry?.of ?? id, attempt: retry?.attempt ?? 1, status, at });
    else this.#last.delete(key);
    return retry ? { ...entry, retry } : entry;
  }
}
