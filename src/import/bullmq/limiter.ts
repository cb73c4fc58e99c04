/** The limiter's approximate window, in milliseconds. It is short to keep the first burst small. */
const window = 500;

/**
 * Converts a request budget to BullMQ's limiter options: a number of jobs per window, shared by all workers.
 * Without a budget, the number is too large to matter, because a worker without a limiter ignores the pauses
 * after a 429.
 */
export function limiterOf(requestsPerMinute = 600_000_000): { max: number; duration: number } {
  const max = Math.max(1, Math.round((requestsPerMinute * window) / 60_000));
  return { max, duration: Math.round((max * 60_000) / requestsPerMinute) };
}
