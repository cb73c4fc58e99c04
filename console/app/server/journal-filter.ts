import type { JournalEntry } from './types.js';

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
