import { quote } from '../shared/quote.js';

/**
 * The error messages for a payload, by field. Nested fields use dot notation (`tag_names.3`). Errors that
 * apply to the entire payload are listed under `(body)`.
 */
export type FieldErrors = Record<string, string[]>;

/** The field name for errors that apply to an entire payload, for example one that isn't an object. */
export const bodyField = '(body)';

/**
 * The maximum number of invalid items per list, or unknown fields per object, to report individually. The
 * rest are only counted.
 */
export const describedErrors = 10;

export const andMore = (omitted: number, what: string): string =>
  `and ${omitted.toLocaleString('en-US')} more ${what}`;

/** The message for a field that isn't in the contract. */
export const unknownField = 'unknown field';

/**
 * Formats field errors as a single line, such as `title is required; unknown field "foo"`.
 *
 * @param atMost the maximum number of messages to include. The rest are only counted.
 */
export function describeFieldErrors(fieldErrors: FieldErrors, atMost = Number.POSITIVE_INFINITY): string {
  const all = Object.entries(fieldErrors).flatMap(([field, messages]) =>
    messages.map((message) => describeFieldError(field, message)),
  );
  const omitted = all.slice(atMost);
  const described = [...all.slice(0, atMost), ...omitted.filter(isCount)];
  const left = all.length - described.length;
  return [...described, ...(left > 0 ? [`and ${left} more`] : [])].join('; ').replace(/([.?]); /g, '$1 ');
}

/** Adds the field's name to the message, unless the message already contains it. */
export function describeFieldError(field: string, message: string): string {
  const name = quote(field);
  if (message.startsWith(`${unknownField};`)) {
    return `${unknownField} "${name}"${message.slice(unknownField.length)}`;
  }
  // Many servers send complete sentences, which usually contain the field's name: "The due at field is
  // required."
  const isSentence = /^\p{Lu}/u.test(message);
  const position = withSpaces(message).indexOf(withSpaces(field));
  if (position === 0 || (position > 0 && (isSentence || isCount(message)))) return message;
  if (isCount(message)) return `${message} in ${name}`;
  return `${name}${isSentence ? ':' : ''} ${message}`;
}

const withSpaces = (text: string) => text.toLowerCase().replaceAll('_', ' ');

/** Whether a message was created by {@link andMore}. */
const isCount = (message: string) => /^and [\d,]+ more /.test(message);
