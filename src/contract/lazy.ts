/**
 * Makes a value when it is first asked for, and keeps it. Every schema is made so: an app pays for those of
 * the operations that it calls, and importing the client for none.
 */
// @__NO_SIDE_EFFECTS__
export function lazy<Value>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= make();
    return value;
  };
}
