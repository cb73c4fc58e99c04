import * as z from 'zod/mini';
import { parseDateTime } from '../date-time.js';
import { lazy } from '../lazy.js';
import { listOf } from '../zod-internals.js';

/** A zod schema with its output and input types. It is also a Standard Schema. */
export type Schema<Output, Input = Output> = z.ZodMiniType<Output, Input>;

/** A payload as sent to the server, with each `Date` as an ISO 8601 string. */
export type Wired<Payload> = { [Key in keyof Payload]: Exclude<Payload[Key], Date> };

/**
 * The fields of a payload's schema. A payload's type and its schema are written separately, so `satisfies
 * Fields<CreateTicket>` makes a field that is missing in the schema a compile error.
 */
export type Fields<Payload> = Record<keyof Payload, z.ZodMiniType>;

export const string = lazy(() => z.string());
export const nullableString = lazy(() => z.nullable(string()));
export const optionalString = lazy(() => z.optional(string()));
export const number = lazy(() => z.number());
export const boolean = lazy(() => z.boolean());
export const optionalBoolean = lazy(() => z.optional(boolean()));

/** A list of IDs. */
export const ids = lazy(() => listOf(string()));

/** A string of at most `maximum` Unicode code points. */
export const text = (maximum: number) => z.string().check(z.maxLength(maximum));

/** Like {@link text}, but also allows null. */
export const nullableText = (maximum: number) => z.nullable(text(maximum));

/** An integer from `minimum` to `maximum`. */
export const integer = (minimum: number, maximum = Number.MAX_SAFE_INTEGER) =>
  z.int().check(z.minimum(minimum), z.maximum(maximum));

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
