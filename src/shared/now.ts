/** Returns the time in milliseconds from a monotonic clock, which ignores changes to the system time. */
export const now = (): number => performance.now();
