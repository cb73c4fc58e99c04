const hintsOf = new WeakMap<object, Readonly<Record<string, string>>>();

/** Makes validation say what to do instead of sending a field that a schema doesn't have. */
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
