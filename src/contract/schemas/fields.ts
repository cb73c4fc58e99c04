import * as z from 'zod/mini';
import { parseDateTime } from '../date-time.js';
import { lazy } from '../lazy.js';

/** A zod schema by the types it gives and takes; every one of them is also a Standard Schema. */
export type Schema<Output, Input = Output> = z.ZodMiniType<Output, Input>;

/** A payload as it goes over the wire: a `Date` has become its ISO 8601 text. */
export type Wired<Payload> = { [Key in keyof Payload]: Exclude<Payload[Key], Date> };

/** A closed set of values today, open to values that a later server adds; editors still suggest the known ones. */
export type Open<Known extends string> = Known | (string & {});

export const string = lazy(() => z.string());
export const nullableString = lazy(() => z.nullable(string()));
export const optionalString = lazy(() => z.optional(string()));
export const number = lazy(() => z.number());
export const boolean = lazy(() => z.boolean());
export const optionalBoolean = lazy(() => z.optional(boolean()));

/** A list of ids. */
export const ids = lazy(() => z.array(string()));

/** Text of at most `maximum` Unicode code points. */
export const text = (maximum: number) => z.string().check(z.maxLength(maximum));

/** Like {@link text}, or null. */
export const nullableText = (maximum: number) => z.nullable(text(maximum));

/**
 * An integer as far as numbers are exact. `z.int()` is the same, but brings the ranges of all kinds of numbers
 * along: 0.3 kB of every app.
 */
export const integer = (least: number, most = Number.MAX_SAFE_INTEGER) =>
  z.number().check(isInteger(), z.minimum(least), z.maximum(most));

const isInteger = lazy(() => {
  const check = z.check<number>(({ value: input, issues }) => {
    const wrong = { code: 'invalid_type', expected: 'int', input, continue: false } as const;
    if (!Number.isInteger(input)) issues.push(wrong);
  });
  // As z.int() does: JSON Schema is made from it, and messages.
  check._zod.onattach.push(({ _zod }) => {
    _zod.bag.format = 'safeint';
  });
  return check;
});

/** A date-time as text: RFC 3339 with any offset. */
export const dateTime = lazy(() =>
  z.string().check(z.refine((value) => parseDateTime(value) !== undefined, 'must be a date-time (RFC 3339)')),
);

/** A date-time in a request: text, or a `Date`, which is sent as text in UTC. */
export const dateTimeInput = lazy(() =>
  z.pipe(
    z.transform((value: string | Date): string =>
      value instanceof Date ? (Number.isNaN(+value) ? String(value) : value.toISOString()) : value,
    ),
    dateTime(),
  ),
);

/** A value of a known set in an answer: any text passes, so that a new value breaks no client. */
export const open = <Known extends string>() => string() as unknown as Schema<Open<Known>>;
