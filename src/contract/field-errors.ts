/** What is wrong with a payload, by field; a nested field with dots (`tag_names.3`), the payload itself as `(body)`. */
export type FieldErrors = Record<string, string[]>;

/** Stands for a payload that is wrong as a whole, for example a body that isn't an object. */
export const wholePayload = '(body)';

/** How many invalid items of one list, or unknown fields of one object, are described. The others are counted. */
export const describedErrors = 10;

/** The message for what isn't described. */
export const andMore = (omitted: number, what: string): string =>
  `and ${omitted.toLocaleString('en-US')} more ${what}`;

/** The message for a field that the contract doesn't know. */
export const unknownField = 'unknown field';

/**
 * Writes field errors on one line: `title is required; unknown field "foo"; and 90 more invalid items in label_ids`.
 *
 * @param atMost how many messages to write; the others are counted
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
