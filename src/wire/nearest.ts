/** The name that a misspelt one may have meant: two slips away at most, letters' case aside. */
export const nearestOf = (name: string, names: readonly string[]): string | undefined =>
  [0, 1, 2].flatMap((slips) =>
    names.filter((other) => isWithin(slips, name.toLowerCase(), other.toLowerCase())),
  )[0];

/** Whether so many characters put in, left out or replaced make one text the other. */
function isWithin(slips: number, one: string, other: string): boolean {
  const [rest, others] = [one.slice(1), other.slice(1)];
  if (one[0] === other[0]) return !one || isWithin(slips, rest, others);
  return (
    slips-- > 0 &&
    (isWithin(slips, rest, others) || isWithin(slips, rest, other) || isWithin(slips, one, others))
  );
}
