const pattern = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):(\d\d)(\.\d+)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/**
 * Parses a date-time as defined in RFC 3339, section 5.6. Seconds are required, and any offset is allowed.
 * Leap seconds are allowed only at 23:59:60 UTC. Fractional seconds are truncated to milliseconds.
 *
 * @returns the instant, or undefined if the string isn't a valid date-time or its UTC year is outside RFC
 * 3339's range of 0000 to 9999
 */
export function parseDateTime(text: string): Date | undefined {
  const match = pattern.exec(text);
  if (!match) return undefined;
  const [, day = '', minute = '', second = '', fraction = '', offset = ''] = match;
  const midnight = new Date(`${day}T00:00:00Z`);
  // `Date` turns February 31 into March 3, but RFC 3339 doesn't allow February 31.
  if (Number.isNaN(+midnight) || !midnight.toISOString().startsWith(day)) return undefined;
  const isLeapSecond = second === '60';
  const milliseconds = isLeapSecond ? '' : fraction.slice(0, 4);
  const instant = new Date(
    `${day}T${minute}:${isLeapSecond ? 59 : second}${milliseconds}${offset.toUpperCase()}`,
  );
  if (minute > '23:59' || Number.isNaN(+instant)) return undefined;
  if (isLeapSecond && instant.toISOString().slice(11, 19) !== '23:59:59') return undefined;
  const exact = isLeapSecond ? new Date(+instant + 1000) : instant;
  return /^\d{4}-/.test(exact.toISOString()) ? exact : undefined;
}
