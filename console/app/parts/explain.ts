import type { JournalEntry } from '../server/types.js';

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
