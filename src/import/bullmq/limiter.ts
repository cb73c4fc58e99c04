import { ConfigurationError } from '../../errors/index.js';

/** Milliseconds that a window of the limiter lasts, about: short, so that a first burst is small. */
const window = 500;

/** BullMQ's limiter for a budget: so many jobs in so many milliseconds, over all workers of a queue. */
export function limiterOf(
  requestsPerMinute: number | undefined,
): { max: number; duration: number } | undefined {
  if (requestsPerMinute === undefined) return undefined;
  if (!Number.isInteger(requestsPerMinute) || requestsPerMinute < 1) {
    throw new ConfigurationError(
      `import: option "requestsPerMinute" must be an integer of at least 1 (got ${requestsPerMinute})`,
    );
  }
  const max = Math.max(1, Math.round((requestsPerMinute * window) / 60_000));
  return { max, duration: Math.round((max * 60_000) / requestsPerMinute) };
}
