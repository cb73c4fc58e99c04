/** Parses a string as JSON. If it isn't valid JSON, returns the string itself. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
