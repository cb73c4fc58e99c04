import { unknownField } from '../contract/field-errors.js';
import type { Schema } from '../contract/schemas/fields.js';
import { validate } from '../contract/validate.js';
import { definedFields } from './defined-fields.js';
import type { OptionsSchema } from './option-types.js';

/**
 * Validates the options of a function against a schema of the types in `option-types.ts`. Undefined options
 * count as omitted. Nothing is copied: the caller goes on to use the options themselves.
 *
 * @param prefix what precedes the names, such as `retry.`
 * @param fail creates the error to throw from its message
 *
 * @example
 * ```ts
 * const retryOptions = lazy(() => z.strictObject({ limit: nonNegativeInteger() }));
 * checkOptions(retryOptions(), retry, { prefix: 'retry.', fail: (message) => new ConfigurationError(message) });
 * // option "retry.limit" must be a non-negative integer (got -1)
 * // unknown option "retry.limt"; did you mean "retry.limit"?
 * ```
 */
export function checkOptions(
  schema: OptionsSchema,
  options: unknown,
  { prefix = '', fail }: { prefix?: string; fail: (message: string) => Error },
): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw fail(prefix ? `option "${prefix.slice(0, -1)}" must be an object` : 'options must be an object');
  }
  const result = validate(schema as Schema<unknown, never>, definedFields(options), whole);
  if (result.ok) return;
  // One error at a time is enough: the caller fixes it and runs the code again. Typos come first, because
  // they can explain why another option is missing.
  const errors = Object.entries(result.fieldErrors);
  const typo = errors.find(([, [message]]) => message?.startsWith(unknownField));
  const [name, [message = '']] = typo ?? errors[0] ?? ['', []];
  if (name === whole) throw fail(message);
  throw fail(
    typo
      ? `unknown option "${prefix}${name}"${message.slice(unknownField.length).replace('did you mean "', `$&${prefix}`)}`
      : `option "${prefix}${name}" ${message}`,
  );
}

/** The name of errors that concern several options. Their message is a complete sentence. */
const whole = '(options)';
