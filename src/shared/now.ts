/** Milliseconds of a monotonic clock, which changes of the system time don't affect. */
export const now = (): number => performance.now();
