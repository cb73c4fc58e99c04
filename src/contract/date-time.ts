const pattern = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):(\d\d)(\.\d+)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/**
 * Reads a date-time as RFC 3339 (section 5.6) defines it: seconds required, any offset, a leap
 * second at 23:59:60 UTC. Digits past the millisecond are cut off.
 *
 * @returns the instant, or undefined where the text is no date-time or names a day or an hour that does not exist
 */
export function parseDateTime(text: string): Date | undefined {
  const match = pattern.exec(text);
  if (!match) return undefined;
  const [, day = '', minute = '', second = '', fraction = '', offset = ''] = match;
  const midnight = new Date(`${day}T00:00:00Z`);
  // Date takes 31 February for 3 March; RFC 3339 does not.
  if (Number.isNaN(+midnight) || !midnight.toISOString().startsWith(day)) return undefined;
  const leap = second === '60';
  const milliseconds = leap ? '' : fraction.slice(0, 4);
  const instant = new Date(`${day}T${minute}:${leap ? 59 : second}${milliseconds}${offset.toUpperCase()}`);
  if (minute > '23:59' || Number.isNaN(+instant)) return undefined;
  if (!leap) return instant;
  return instant.toISOString().slice(11, 19) === '23:59:59' ? new Date(+instant + 1000) : undefined;
}
