/** The limiter's approximate window, in milliseconds. It is short to keep the first burst small. */
const window = 500;

/**
 * Converts a request budget to BullMQ's limiter options: a number of jobs per window, shared by all workers.
 */
export function limiterOf(
  requestsPerMinute: number | undefined,
): { max: number; duration: number } | undefined {
  if (requestsPerMinute === undefined) return undefined;
  const max = Math.max(1, Math.round((requestsPerMinute * window) / 60_000));
  return { max, duration: Math.round((max * 60_000) / requestsPerMinute) };
}
