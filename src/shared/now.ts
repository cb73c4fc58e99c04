/** Returns the time of a monotonic clock in milliseconds. Changes to the system time don't affect it. */
export const now = (): number => performance.now();
