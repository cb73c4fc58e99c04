/**
 * The error messages for a payload, by field. Nested fields have dots (`tag_names.3`); the whole payload is
 * `(body)`.
 */
export type FieldErrors = Record<string, string[]>;

/** The field name for errors of the whole payload, for example a body that isn't an object. */
export const wholePayload = '(body)';

/**
 * The number of invalid items per list, or of unknown fields per object, that are described. The others are
 * only counted.
 */
export const describedErrors = 10;

/** The message that counts the errors without a description. */
export const andMore = (omitted: number, what: string): string =>
  `and ${omitted.toLocaleString('en-US')} more ${what}`;

/** The message for a field that isn't in the contract. */
export const unknownField = 'unknown field';

/**
 * Formats field errors on one line, such as `title is required; unknown field "foo"`.
 *
 * @param atMost the maximum number of messages; the others are counted
 */
export function describeFieldErrors(fieldErrors: FieldErrors, atMost = Number.POSITIVE_INFINITY): string {
  const all = Object.entries(fieldErrors).flatMap(([field, messages]) =>
    messages.map((message) => describe(field, message)),
  );
  const omitted = all.slice(atMost);
  const described = [...all.slice(0, atMost), ...omitted.filter(isCount)];
  const left = all.length - described.length;
  return [...described, ...(left > 0 ? [`and ${left} more`] : [])].join('; ').replaceAll('?; ', '? ');
}

function describe(field: string, message: string): string {
  if (message.startsWith(`${unknownField};`)) {
    return `${unknownField} "${field}"${message.slice(unknownField.length)}`;
  }
  return isCount(message) ? `${message} in ${field}` : `${field} ${message}`;
}

/** Whether a message is one of {@link andMore}. */
const isCount = (message: string) => /^and [\d,]+ more /.test(message);
