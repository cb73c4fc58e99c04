/** The name that a misspelt one may have meant: two slips away at most, letters' case aside. */
export const nearestOf = (name: string, names: readonly string[]): string | undefined =>
  [0, 1, 2].flatMap((slips) =>
    names.filter((other) => isWithin(slips, name.toLowerCase(), other.toLowerCase())),
  )[0];

/** What to say after a name that is none of these; `prefix` is where they stand, such as `retry.`. */
export function advice(name: string, names: readonly string[], prefix = ''): string {
  const nearest = nearestOf(name, names);
  return nearest ? `did you mean "${prefix}${nearest}"?` : `known here: ${names.join(', ')}`;
}

/** Whether so many characters put in, left out or replaced make one text the other. */
function isWithin(slips: number, one: string, other: string): boolean {
  const [rest, others] = [one.slice(1), other.slice(1)];
  if (one[0] === other[0]) return !one || isWithin(slips, rest, others);
  return (
    slips-- > 0 &&
    (isWithin(slips, rest, others) || isWithin(slips, rest, other) || isWithin(slips, one, others))
  );
}
