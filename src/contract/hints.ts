const hintsOf = new WeakMap<object, Readonly<Record<string, string>>>();

/**
 * Adds hints for unknown fields to a schema. If a request contains one of these fields, the error message
 * includes the field's hint instead of a suggestion.
 */
export function withHints<Schema extends object>(
  schema: Schema,
  hints: Readonly<Record<string, string>>,
): Schema {
  hintsOf.set(schema, hints);
  return schema;
}

export function hintFor(schema: object, field: string): string | undefined {
  const hints = hintsOf.get(schema);
  return hints && Object.hasOwn(hints, field) ? hints[field] : undefined;
}
