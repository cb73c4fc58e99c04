/** A JSON object, as opposed to a list, string, number, boolean, or null. */
export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Parses a string as JSON.
 *
 * @param otherwise called if the string isn't valid JSON. By default, it returns the string itself.
 */
export function parseJson(text: string, otherwise: (error: Error) => unknown = () => text): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return otherwise(error as Error);
  }
}
