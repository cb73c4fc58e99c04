import { definedFields } from '../shared/defined-fields.js';
import { unknownField } from './field-errors.js';
import type { OptionsSchema } from './option-types.js';
import { validate } from './validate.js';
import type { AnySchema } from './zod-internals.js';

/**
 * Validates a function's options against a schema built with `option-types.ts`. Undefined options are treated
 * as omitted. The options aren't copied or changed.
 *
 * @param prefix prepended to option names in errors, for example `retry.`
 * @param fail creates the error to throw, given a message
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
  const result = validate(schema as AnySchema, definedFields(options), rootField);
  if (result.ok) return;
  // Throw only the first error, because developers fix errors one at a time. A typo comes first, because it
  // may be the reason that another option is missing.
  const errors = Object.entries(result.fieldErrors);
  const typo = errors.find(([, [message]]) => message?.startsWith(unknownField));
  const [name, [message = '']] = typo ?? errors[0] ?? ['', []];
  if (name === rootField) throw fail(message);
  throw fail(
    typo
      ? `unknown option "${prefix}${name}"${message.slice(unknownField.length).replace('did you mean "', `$&${prefix}`)}`
      : `option "${prefix}${name}" ${message}`,
  );
}

/** The field name for errors that affect several options. Their messages are complete sentences. */
const rootField = '(options)';
