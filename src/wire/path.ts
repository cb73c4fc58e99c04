/** The prefix of all API paths. See "Versioning" in the specification. */
export const pathPrefix = '/api/v1';

/** Fills in a path template and percent-encodes each parameter. */
export function encodePath(template: string, params: Readonly<Record<string, string>>): string {
  let path = '';
  let end = 0;
  for (;;) {
    const start = template.indexOf('{', end);
    if (start < 0) return path + template.slice(end);
    path += template.slice(end, start);
    end = template.indexOf('}', start) + 1;
    path += encodeURIComponent(params[template.slice(start + 1, end - 1)] ?? '');
  }
}

/** @returns the decoded segment, or undefined if its percent-encoding is invalid */
export function decodeSegment(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
