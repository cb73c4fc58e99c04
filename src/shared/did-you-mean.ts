/**
 * Suggests a known name for an unknown one.
 *
 * @param prefix what precedes the names, such as `retry.`
 * @returns for example `did you mean "retry.limit"?`, or all names if none is similar
 */
export function didYouMean(name: string, names: readonly string[], prefix = ''): string {
  const nearest = nearestOf(name, names);
  return nearest ? `did you mean "${prefix}${nearest}"?` : `expected one of: ${names.join(', ')}`;
}

/**
 * Finds the known name that was probably meant: at most two typos away, ignoring case, or the same word with
 * a suffix (`description_html` for `description`, `assignee_ids` for `assignees`).
 */
export function nearestOf(name: string, names: readonly string[]): string | undefined {
  if (name.length > 100) return undefined;
  const lower = name.toLowerCase();
  for (const typos of [0, 1, 2]) {
    const nearest = names.find((other) => isWithin(typos, lower, other.toLowerCase()));
    if (nearest !== undefined) return nearest;
  }
  return names.find((other) => isStemOf(lower, other));
}

/** Whether one string becomes the other if at most `typos` characters are inserted, deleted or replaced. */
function isWithin(typos: number, one: string, other: string): boolean {
  const [rest, others] = [one.slice(1), other.slice(1)];
  if (one[0] === other[0]) return !one || isWithin(typos, rest, others);
  return (
    typos-- > 0 &&
    (isWithin(typos, rest, others) || isWithin(typos, rest, other) || isWithin(typos, one, others))
  );
}

/** Whether a name is the first word of another, in the singular or the plural. */
function isStemOf(name: string, other: string): boolean {
  const [word, suffix] = other.split('_');
  return suffix !== undefined && (name === word || name === `${word}s`);
}
