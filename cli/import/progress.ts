import cliProgress from 'cli-progress';
import type { ImportProgress } from '../../src/import/index.js';

/** Shows a progress bar in a terminal. Otherwise, prints a line every ten seconds. */
export function showProgress(total: number, printError: (text: string) => void) {
  let latest: ImportProgress | undefined;
  if (process.stderr.isTTY) {
    const bar = new cliProgress.SingleBar(
      {
        format:
          '{bar} {value}/{total} | {rate} per minute | {left} left | {failed} failed | {unknown} in doubt',
        stream: process.stderr,
        hideCursor: true,
        fps: 5,
      },
      cliProgress.Presets.shades_classic,
    );
    bar.start(total, 0, { rate: 0, left: '?', failed: 0, unknown: 0 });
    return {
      update: (progress: ImportProgress) => bar.update(progress.settled, figures(progress, total)),
      stop: () => bar.stop(),
    };
  }
  const timer = setInterval(() => {
    if (!latest) return;
    const { rate, left, failed, unknown } = figures(latest, total);
    printError(
      `${latest.settled}/${total} | ${rate} per minute | ${left} left | ${failed} failed | ${unknown} in doubt`,
    );
  }, 10_000);
  return {
    update: (progress: ImportProgress) => {
      latest = progress;
    },
    stop: () => clearInterval(timer),
  };
}

function figures({ settled, skipped, durationMs, failed, unknown }: ImportProgress, total: number) {
  // The rate excludes rows imported by earlier runs, because they're skipped immediately.
  const rate = ((settled - skipped) / Math.max(durationMs, 1)) * 60_000;
  return {
    rate: Math.round(rate),
    left: rate > 0 ? duration((total - settled) / rate) : '?',
    failed,
    unknown,
  };
}

/** Formats a duration given in minutes: 125 becomes `2 h 05 min`. */
export function duration(minutes: number): string {
  if (minutes < 1) return `${Math.max(0, Math.round(minutes * 60))} s`;
  const rounded = Math.round(minutes);
  if (rounded < 60) return `${rounded} min`;
  return `${Math.floor(rounded / 60)} h ${String(rounded % 60).padStart(2, '0')} min`;
}
