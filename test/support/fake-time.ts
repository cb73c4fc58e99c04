import { onTestFinished, vi } from 'vitest';

/** Replaces the timers and the clock for the rest of the test. */
export function useFakeTime(...options: Parameters<typeof vi.useFakeTimers>): void {
  vi.useFakeTimers(...options);
  onTestFinished(() => {
    vi.useRealTimers();
  });
}
