import { type ErrorCode, errorCodes, type FieldErrors } from '../../src/contract/index.js';
import { isObject } from '../../src/shared/json.js';
import {
  defaultWire,
  type EnvelopeWire,
  type ErrorContent,
  type ErrorWire,
  type PageWire,
} from '../../src/wire/index.js';

/** The formats of records and unpaginated lists. */
export const recordEnvelopes = {
  data: defaultWire.envelope,
  none: {
    encode: (data) => data,
    decode: (body) => (typeof body === 'object' && body !== null ? { data: body } : undefined),
  },
} as const satisfies Record<string, EnvelopeWire>;

const { page: numberedPages, error: messageBody } = defaultWire;

const flatPage = (...[data, info, url]: Parameters<PageWire['encode']>) =>
  (numberedPages.encode(data, info, url) as { data: Record<string, unknown> }).data;

/** The formats of pages. The client's default decoder reads all of them. */
export const pageEnvelopes = {
  nested: numberedPages,
  flat: { ...numberedPages, encode: flatPage },
  meta: {
    ...numberedPages,
    encode(data, info, url) {
      const { path, first_page_url, last_page_url, prev_page_url, next_page_url } = flatPage(data, info, url);
      const links = { first: first_page_url, last: last_page_url, prev: prev_page_url, next: next_page_url };
      return { data, links, meta: { ...info, path } };
    },
  },
} as const satisfies Record<string, PageWire>;

/** The formats of error responses. */
export const errorEnvelopes = {
  flat: messageBody,
  message: {
    encode: ({ message }) => ({ message }),
    decode: messageBody.decode,
  },
  nested: {
    encode: (content) => ({ error: messageBody.encode(content) }),
    decode: (body) => (isObject(body) && isObject(body.error) ? messageBody.decode(body.error) : {}),
  },
  list: {
    encode: ({ message, errors, code }) => ({ errors: errors ? listOf(errors, code) : [{ message, code }] }),
    decode: (body) => (isObject(body) && Array.isArray(body.errors) ? readList(body.errors) : {}),
  },
  problem: {
    encode: ({ message, errors, code }, status = statusOf(code)) => ({
      title: code ?? 'error',
      status,
      detail: message,
      errors,
      code,
    }),
    decode: (body) =>
      isObject(body) && typeof body.title === 'string'
        ? messageBody.decode({ ...body, message: body.detail ?? body.title })
        : {},
  },
} as const satisfies Record<string, ErrorWire>;

export type ErrorEnvelope = keyof typeof errorEnvelopes;

const statusOf = (code: string | undefined): number =>
  code !== undefined && Object.hasOwn(errorCodes, code) ? errorCodes[code as ErrorCode] : 500;

const listOf = (errors: FieldErrors, code: string | undefined) =>
  Object.entries(errors).flatMap(([field, messages]) =>
    messages.map((message) => ({ field, message, code })),
  );

function readList(items: readonly unknown[]): Partial<ErrorContent> {
  const errors = new Map<string, string[]>();
  let first: Partial<ErrorContent> = {};
  for (const item of items) {
    if (!isObject(item)) continue;
    const content = messageBody.decode({ message: item.message, code: item.code });
    first = { ...content, ...first };
    if (typeof item.field !== 'string') continue;
    errors.set(item.field, [...(errors.get(item.field) ?? []), content.message ?? 'is invalid']);
  }
  return { ...first, ...(errors.size > 0 && { errors: Object.fromEntries(errors) }) };
}
