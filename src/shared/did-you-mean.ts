/**
 * Suggests a known name similar to an unknown one.
 *
 * @param prefix prepended to the suggested name, for example `retry.`
 * @returns a suggestion such as `did you mean "retry.limit"?`, or a list of names if none is similar
 */
export function didYouMean(name: string, names: readonly string[], prefix = ''): string {
  const nearest = nearestOf(name, names);
  if (nearest) return `did you mean "${prefix}${nearest}"?`;
  return `expected one of: ${names.slice(0, maxNames).join(', ')}${names.length > maxNames ? ', …' : ''}`;
}

/**
 * The maximum number of names to list. A file can have thousands of columns, and a project thousands of
 * members.
 */
const maxNames = 50;

/**
 * Finds the known name that is most similar to an unknown one, ignoring case. Allows for two typos, or one if
 * the unknown name has only one or two characters. Also finds names that differ only by a suffix, such as
 * `description_html` for `description`, `assignee_ids` for `assignees`, or `board` for `board_id`.
 */
export function nearestOf(name: string, names: readonly string[]): string | undefined {
  if (name.length > 100) return undefined;
  const lower = name.toLowerCase();
  for (const typos of name.length < 3 ? [0, 1] : [0, 1, 2]) {
    const nearest = names.find((other) => isWithin(typos, lower, other.toLowerCase()));
    if (nearest !== undefined) return nearest;
  }
  return names.find((other) => isStemOf(lower, other) || isStemOf(other, lower));
}

/** Whether two strings differ by at most `typos` inserted, deleted, or replaced characters. */
function isWithin(typos: number, one: string, other: string): boolean {
  const [rest, others] = [one.slice(1), other.slice(1)];
  if (one[0] === other[0]) return !one || isWithin(typos, rest, others);
  return (
    typos-- > 0 &&
    (isWithin(typos, rest, others) || isWithin(typos, rest, other) || isWithin(typos, one, others))
  );
}

/** Whether a name is the singular or plural form of another name's first word. */
function isStemOf(name: string, other: string): boolean {
  const [word] = other.split('_');
  return word !== other && (name === word || name === `${word}s`);
}
