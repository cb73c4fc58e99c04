/** Milliseconds that a window of the limiter lasts, about: short, so that a first burst is small. */
const window = 500;

/** BullMQ's limiter for a budget: so many jobs in so many milliseconds, over all workers of a queue. */
export function limiterOf(
  requestsPerMinute: number | undefined,
): { max: number; duration: number } | undefined {
  if (requestsPerMinute === undefined) return undefined;
  const max = Math.max(1, Math.round((requestsPerMinute * window) / 60_000));
  return { max, duration: Math.round((max * 60_000) / requestsPerMinute) };
}
