import { RecentSecrets, Redactor } from '../../src/shared/redact.js';
import { VERSION } from '../../src/version.js';
import type { RecordedRequest } from './entry.js';

/** Recorded requests in HTTP Archive format 1.2, which browsers and many other tools can open. */
export interface Har {
  log: {
    version: '1.2';
    creator: { name: string; version: string };
    entries: HarEntry[];
  };
}

/** A request and its response in a {@link Har}. */
export interface HarEntry {
  startedDateTime: string;
  /** The response time in milliseconds. */
  time: number;
  request: {
    method: string;
    url: string;
    httpVersion: string;
    cookies: [];
    headers: HarField[];
    queryString: HarField[];
    postData?: { mimeType: string; text: string };
    headersSize: -1;
    bodySize: number;
  };
  response: {
    /** The response status, or 0 if the client received no response. */
    status: number;
    statusText: string;
    httpVersion: string;
    cookies: [];
    headers: HarField[];
    /** The body. `text` is omitted if the journal didn't keep the body. */
    content: { size: number; mimeType: string; text?: string };
    redirectURL: '';
    headersSize: -1;
    bodySize: -1;
  };
  cache: Record<string, never>;
  timings: { send: 0; wait: number; receive: 0 };
  /** The fault, or the reason why no operation matched. */
  comment?: string;
}

export interface HarField {
  name: string;
  value: string;
}

/** @param secrets the tokens to remove, in any encoding */
export function createHar(records: readonly RecordedRequest[], secrets: Iterable<string>): Har {
  const redactor = new Redactor(new RecentSecrets());
  for (const secret of secrets) redactor.add(secret);
  const entries = records.map((record) => redactor.redact(toEntry(record)));
  return { log: { version: '1.2', creator: { name: 'worktrack', version: VERSION }, entries } };
}

function toEntry(record: RecordedRequest): HarEntry {
  const { at, duration, method, url, headers, responseHeaders = {}, status, fault, unhandled } = record;
  const body = textOf(record.body);
  const responseBody = textOf(record.responseBody);
  const comment = fault ?? unhandled;
  return {
    startedDateTime: at,
    time: duration,
    request: {
      method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: fieldsOf(Object.entries(headers)),
      queryString: fieldsOf(new URL(url).searchParams),
      ...(body !== undefined && {
        postData: { mimeType: headers['content-type'] ?? 'application/json', text: body },
      }),
      headersSize: -1,
      bodySize: sizeOf(body),
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: fieldsOf(Object.entries(responseHeaders)),
      content: {
        size: sizeOf(responseBody),
        mimeType: responseHeaders['content-type'] ?? '',
        ...(responseBody !== undefined && { text: responseBody }),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: duration, receive: 0 },
    ...(comment !== undefined && { comment }),
  };
}

const fieldsOf = (fields: Iterable<[string, string]>): HarField[] =>
  [...fields].map(([name, value]) => ({ name, value }));

/**
 * Returns a body as text. A body that isn't JSON is stored as a string, so it can't be told apart from a JSON
 * string.
 */
const textOf = (body: unknown): string | undefined =>
  body === undefined || typeof body === 'string' ? body : JSON.stringify(body);

const sizeOf = (text = ''): number => new TextEncoder().encode(text).length;
