/** Milliseconds of a clock that never goes back, whatever happens to the system's time. */
export const now = (): number => performance.now();
