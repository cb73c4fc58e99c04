/**
 * Describes any thrown value, including an object without `toString()`. Vitest replaces an error's cause with
 * such an object before it calls `toJSON()`.
 */
export const describeThrown = (thrown: unknown): string =>
  Object(thrown) === thrown ? Error.prototype.toString.call(thrown) : String(thrown);
