/**
 * Parses a string as JSON.
 *
 * @param otherwise called if it isn't valid JSON. By default, the string itself is returned.
 */
export function parseJson(text: string, otherwise: (error: Error) => unknown = () => text): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return otherwise(error as Error);
  }
}
