/**
 * Converts a date entered by the user to RFC 3339. Accepts `2026-12-01`, `2026-12-01T17:00`, `today`,
 * `tomorrow`, `+3d`, and `+2w`, all in the local time zone. A date without a time is the start of that day.
 * Date-times with an offset are returned unchanged.
 *
 * @returns undefined if the text isn't a date
 */
export function toDateTime(text: string, now = new Date()): string | undefined {
  if (/^\d{4}-\d\d-\d\dt.*(?:z|[+-]\d\d:\d\d)$/i.test(text)) return text;
  const date = relativeDate(text, now) ?? localDate(text);
  return date && format(date);
}

function relativeDate(text: string, now: Date): Date | undefined {
  const [, count = '', unit = ''] = /^\+(\d{1,4})([dw])$/i.exec(text) ?? [];
  const days =
    words[text.toLowerCase()] ?? (unit ? Number(count) * (unit.toLowerCase() === 'w' ? 7 : 1) : undefined);
  // Change only the calendar date, because a day isn't always 24 hours long.
  return days === undefined ? undefined : new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
}

const words: Readonly<Record<string, number>> = { today: 0, tomorrow: 1 };

function localDate(text: string): Date | undefined {
  const parts = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?)?$/i.exec(text)?.slice(1);
  if (!parts) return undefined;
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) =>
    Number(part ?? 0),
  );
  const date = new Date(year, month - 1, day, hours, minutes, seconds);
  // `Date` turns February 30 into a day in March, and 25:00 into a time on the next day. A time that is
  // skipped by daylight saving time is valid here, because it stays on the same day.
  const isValid = date.getFullYear() === year && date.getMonth() === month - 1 && date.getDate() === day;
  return isValid && hours < 24 && minutes < 60 && seconds < 60 ? date : undefined;
}

/** Formats a date with the local offset. */
function format(date: Date): string {
  const offset = -date.getTimezoneOffset();
  const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, 19);
  const pad = (number: number) => String(number).padStart(2, '0');
  const distance = Math.abs(offset);
  return `${local}${offset < 0 ? '-' : '+'}${pad(Math.trunc(distance / 60))}:${pad(distance % 60)}`;
}
