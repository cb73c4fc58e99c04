/** Every path of the API is below it (specification, "Versioning"). */
export const pathPrefix = '/api/v1';

/** Fills a path template, each parameter percent-encoded. */
export function encodePath(template: string, params: Readonly<Record<string, string>>): string {
  const [beginning = '', ...parts] = template.split('{');
  return parts.reduce((path, part) => {
    const end = part.indexOf('}');
    return path + encodeURIComponent(params[part.slice(0, end)] ?? '') + part.slice(end + 1);
  }, beginning);
}

/** @returns the segment's text; undefined where its percent-encoding is broken */
export function decodeSegment(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
