import { onTestFinished, vi } from 'vitest';

/** Replaces timers until the end of the test. Without names, replaces all of them. */
export function useFakeTimers(...toFake: NonNullable<Parameters<typeof vi.useFakeTimers>[0]>['toFake'] & {}) {
  vi.useFakeTimers(toFake.length > 0 ? { toFake } : {});
  onTestFinished(() => void vi.useRealTimers());
}

/** Skips waits until the end of the test by firing the next timer whenever nothing else is running. */
export function skipWaits(...alsoFake: 'performance'[]): void {
  useFakeTimers('setTimeout', 'clearTimeout', ...alsoFake);
  vi.setTimerTickMode('nextTimerAsync');
}
