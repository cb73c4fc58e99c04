/**
 * Creates a value on first use and caches it. All schemas are lazy, so importing the client doesn't create
 * any, and an app creates only the schemas for the operations it calls.
 */
// @__NO_SIDE_EFFECTS__
export function lazy<Value>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= make();
    return value;
  };
}
