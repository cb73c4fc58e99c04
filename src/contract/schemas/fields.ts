import * as z from 'zod/mini';
import { parseDateTime } from '../date-time.js';

/** A zod schema by the types it gives and takes; every one of them is also a Standard Schema. */
export type Schema<Output, Input = Output> = z.ZodMiniType<Output, Input>;

/** A payload as it goes over the wire: a `Date` has become its ISO 8601 text. */
export type Wired<Payload> = { [Key in keyof Payload]: Exclude<Payload[Key], Date> };

/** A closed set of values today, open to values that a later server adds; editors still suggest the known ones. */
export type Open<Known extends string> = Known | (string & {});

// Schemas that many records share are made once: each that is made is paid for by every import.
export const string = /* @__PURE__ */ z.string();
export const nullableString = /* @__PURE__ */ z.nullable(string);
export const optionalString = /* @__PURE__ */ z.optional(string);
export const number = /* @__PURE__ */ z.number();
export const boolean = /* @__PURE__ */ z.boolean();
export const optionalBoolean = /* @__PURE__ */ z.optional(boolean);

/** A list of ids. */
export const ids = /* @__PURE__ */ z.array(string);

/** Text of at most `maximum` Unicode code points. */
export const text = (maximum: number) => z.string().check(z.maxLength(maximum));

/** Like {@link text}, or null. */
export const nullableText = (maximum: number) => z.nullable(text(maximum));

/** A date-time as text: RFC 3339 with any offset. */
export const dateTime = /* @__PURE__ */ z
  .string()
  .check(z.refine((value) => parseDateTime(value) !== undefined, 'must be a date-time (RFC 3339)'));

/** A date-time in a request: text, or a `Date`, which is sent as text in UTC. */
export const dateTimeInput = /* @__PURE__ */ z.pipe(
  z.transform((value: string | Date): string =>
    value instanceof Date ? (Number.isNaN(+value) ? String(value) : value.toISOString()) : value,
  ),
  dateTime,
);

/** A value of a known set in an answer: any text passes, so that a new value breaks no client. */
export const open = <Known extends string>(_known: readonly Known[]): Schema<Open<Known>> =>
  string as unknown as Schema<Open<Known>>;
