import { groupBy } from '../../../shared/lists.js';
import type { JournalEntry } from '../server/admin-api.js';
import { firstAttemptOf } from '../server/journal.js';
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
  return [...groupBy(entries, firstAttemptOf)].flatMap(([first, group]): RequestRow[] => {
    const [latest, ...earlier] = group as [JournalEntry, ...JournalEntry[]];
    if (earlier.length === 0) return [{ entry: latest }];
    const isOpen = opened.has(first) || earlier.some(({ id }) => id === selected);
    const row = { entry: latest, group: { first, attempts: group.length, isOpen } };
    return isOpen ? [row, ...earlier.map((entry) => ({ entry, isEarlier: true }))] : [row];
  });
}

/** An explanation of why a request failed. */
export interface Explanation {
  title: string;
  /** The API's error code. */
  code?: string | undefined;
  text?: string | undefined;
}

/** Explains which check, rule, or fault made a request fail. Returns undefined if the request succeeded. */
export function explain(entry: JournalEntry): Explanation | undefined {
  const { status, code, scope, credential, fault, operation } = entry;
  const text = messageOf(entry.responseBody);
  if (fault !== undefined) return { title: `Caused by a fault: ${fault}`, code, text };
  if (status > 0 && status < 400) return undefined;
  if (status === 0) return { title: 'No response was sent' };
  if (code === 'missing_scope') {
    return { title: 'Rejected because of a missing scope', code, text: `${credential} lacks ${scope}.` };
  }
  if (code === 'invalid_credential')
    return { title: 'Rejected because the credential is invalid', code, text };
  if (code === 'wrong_organization')
    return { title: 'Rejected because the organization doesn’t match', code, text };
  if (code === 'validation_failed') return { title: 'Rejected by validation', code, text };
  if (operation === undefined) return { title: 'No operation matches the method and path', code, text };
  if (code === 'not_found') return { title: 'Rejected because a record was not found', code, text };
  if (code === 'rate_limited') return { title: 'Rejected by the rate limit', code, text };
  return { title: status < 500 ? `Rejected by a rule for ${operation}` : 'Server error', code, text };
}

function messageOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('message' in body)) return undefined;
  return typeof body.message === 'string' ? body.message : undefined;
}
