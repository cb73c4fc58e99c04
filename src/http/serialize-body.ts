/**
 * Serializes a request body as JSON.
 *
 * @param toError creates the error to throw if the body can't be serialized, for example because it contains a
 * circular reference
 */
export function serializeBody(
  body: unknown,
  toError: (problem: string, cause: unknown) => Error,
): string | undefined {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw toError("can't be serialized as JSON", cause);
  }
}
