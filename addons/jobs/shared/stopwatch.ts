/**
 * Starts a stopwatch. The monotonic clock can stop while the machine is suspended, and the system clock can
 * be set back. So the result is the longer of the two measurements.
 */
export function stopwatch(): () => number {
  const [monotonic, system] = [performance.now(), Date.now()];
  return () => Math.max(performance.now() - monotonic, Date.now() - system);
}
