/** Every path of the API is below it (specification, "Versioning"). */
export const pathPrefix = '/api/v1';

/** Fills a path template, each parameter percent-encoded. */
export const encodePath = (template: string, params: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

/** @returns the segment's text; undefined where its percent-encoding is broken */
export function decodeSegment(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
