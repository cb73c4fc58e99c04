import * as z from 'zod/mini';
import { lazy } from './lazy.js';
import { listOf, type Schema } from './zod-internals.js';

/** A payload as sent to the server, with each `Date` as an ISO 8601 string. */
export type Wired<Payload> = { [Key in keyof Payload]: Exclude<Payload[Key], Date> };

/**
 * The fields of a payload's schema. The types and the schemas are written separately, but with `satisfies
 * Fields<CreateTicket>`, the code doesn't compile if a field is missing from the schema.
 */
export type Fields<Payload> = Record<keyof Payload, z.ZodMiniType>;

export const string = lazy(() => z.string());
export const nullableString = lazy(() => z.nullable(string()));
export const optionalString = lazy(() => z.optional(string()));
export const number = lazy(() => z.number());
export const boolean = lazy(() => z.boolean());
export const optionalBoolean = lazy(() => z.optional(boolean()));

export const ids = lazy(() => listOf(string()));

/** A string of at most `maximum` Unicode code points. */
export const text = (maximum: number) => z.string().check(z.maxLength(maximum));

/** Like {@link text}, but also allows null. */
export const nullableText = (maximum: number) => z.nullable(text(maximum));

export const integer = (minimum: number) => z.int().check(z.minimum(minimum));

/** A date-time string: RFC 3339 with any offset. */
export const dateTime = lazy(() =>
  z
    .string()
    .check(
      z.refine(
        (value) => parseDateTime(value) !== undefined,
        'must be a date-time (RFC 3339), such as 2026-12-01T09:00:00Z',
      ),
    ),
);

/** A date-time in a request: a string, or a `Date`, which is sent as a UTC string. */
export const dateTimeInput = lazy(() =>
  z.pipe(
    z.transform((value: string | Date): string =>
      value instanceof Date ? (Number.isNaN(+value) ? String(value) : value.toISOString()) : value,
    ),
    dateTime(),
  ),
);

/** An enum in a response. At runtime, any string is valid, because newer servers may add values. */
export const lenientEnum = <Value extends string>() => string() as unknown as Schema<Value>;

/** The creator of a record. For records created through the API, this is the credential. */
export interface Actor {
  type: ActorType;
  id: string;
  name: string;
}

export type ActorType = (typeof actorTypes)[number];
export const actorTypes = ['api_credential', 'user'] as const;

/** The ID and name of a related record, such as an assignee, an editor, or a tag. */
export interface Reference {
  id: string;
  name: string;
}

export const actor = lazy<Schema<Actor>>(() =>
  z.looseObject({
    type: lenientEnum<ActorType>(),
    id: string(),
    name: string(),
  }),
);

export const reference = lazy<Schema<Reference>>(() =>
  z.looseObject({
    id: string(),
    name: string(),
  }),
);

/** The position of a page in a list. The field names match those in the response. */
export interface PageInfo {
  /** The page number, starting at 1. */
  current_page: number;
  /** The page size, from 1 to 200. */
  per_page: number;
  /** The number of the last page, which is at least 1. */
  last_page: number;
  /** The total number of items across all pages. */
  total: number;
  /** The one-based position of the page's first item in the list. Null if the page is empty. */
  from: number | null;
  /** The position of the page's last item in the list. Null if the page is empty. */
  to: number | null;
}

export const pageInfo = lazy<Schema<PageInfo>>(() =>
  z.looseObject({
    current_page: number(),
    per_page: number(),
    last_page: number(),
    total: number(),
    from: z.nullable(number()),
    to: z.nullable(number()),
  }),
);

/** The page size if `per_page` is omitted. */
export const defaultPerPage = 50;

/** Query fields shared by all paginated operations. */
export const perPage = lazy(() => ({
  per_page: z.optional(integer(1).check(z.maximum(200))),
  page: z.optional(integer(1)),
}));

const pattern = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):(\d\d)(\.\d+)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/**
 * Parses a date-time as defined in RFC 3339, section 5.6. Seconds are required, and any offset is allowed.
 * Leap seconds are allowed only at 23:59:60 UTC. Fractional seconds are truncated to milliseconds.
 *
 * @returns the instant, or undefined if the string isn't a valid date-time or its UTC year is outside RFC
 * 3339's range of 0000 to 9999
 */
export function parseDateTime(text: string): Date | undefined {
  const match = pattern.exec(text);
  if (!match) return undefined;
  const [, day = '', minute = '', second = '', fraction = '', offset = ''] = match;
  const midnight = new Date(`${day}T00:00:00Z`);
  // `Date` silently turns February 31 into March 3.
  if (Number.isNaN(+midnight) || !midnight.toISOString().startsWith(day)) return undefined;
  const isLeapSecond = second === '60';
  const milliseconds = isLeapSecond ? '' : fraction.slice(0, 4);
  const instant = new Date(
    `${day}T${minute}:${isLeapSecond ? 59 : second}${milliseconds}${offset.toUpperCase()}`,
  );
  if (minute > '23:59' || Number.isNaN(+instant)) return undefined;
  if (isLeapSecond && instant.toISOString().slice(11, 19) !== '23:59:59') return undefined;
  const exact = isLeapSecond ? new Date(+instant + 1000) : instant;
  return /^\d{4}-/.test(exact.toISOString()) ? exact : undefined;
}
