import cliProgress from 'cli-progress';

/** Creates a progress bar on standard error that disappears when it stops. */
export const newProgressBar = (format: string): cliProgress.SingleBar =>
  new cliProgress.SingleBar(
    { format, stream: process.stderr, hideCursor: true, clearOnComplete: true, fps: 5 },
    cliProgress.Presets.shades_classic,
  );

/** The progress of a job that reads a file. */
export interface Progress {
  /** The number of finished rows. */
  finished: number;
  /** The number of rows that were done before. */
  skipped: number;
  failed: number;
  unknown: number;
  durationMs: number;
}

/** Shows the progress of an import on standard error. */
export interface ProgressDisplay {
  start(): void;
  update(progress: Progress): void;
  /** Prints a message without breaking the progress bar. Can be called at any time. */
  printError(text: string): void;
  /** Removes the progress bar. */
  stop(): void;
}

/**
 * Creates a progress bar if standard error is a terminal. Otherwise, creates a display that prints a line
 * every ten seconds.
 */
export const createProgressDisplay = (total: number, printError: (text: string) => void): ProgressDisplay =>
  process.stderr.isTTY ? createProgressBar(total, printError) : createProgressLines(total, printError);

function createProgressBar(total: number, printError: (text: string) => void): ProgressDisplay {
  const bar = newProgressBar('{bar} {text}');
  let finished = 0;
  let text = describe({ finished, skipped: 0, durationMs: 0, failed: 0, unknown: 0 }, total);
  const draw = () => bar.start(total, finished, { text });
  return {
    start: draw,
    update: (progress) => {
      finished = progress.finished;
      text = describe(progress, total);
      bar.update(finished, { text });
    },
    printError: (message) => {
      const { isActive } = bar;
      bar.stop();
      printError(message);
      if (isActive) draw();
    },
    stop: () => bar.stop(),
  };
}

function createProgressLines(total: number, printError: (text: string) => void): ProgressDisplay {
  let latest: Progress | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    start: () => {
      timer = setInterval(() => latest && printError(describe(latest, total)), 10_000);
    },
    update: (progress) => {
      latest = progress;
    },
    printError,
    stop: () => clearInterval(timer),
  };
}

function describe({ finished, skipped, durationMs, failed, unknown }: Progress, total: number): string {
  // Rows imported by earlier runs are skipped immediately, so they would distort the rate.
  const rate = ((finished - skipped) / Math.max(durationMs, 1)) * 60_000;
  const left = rate > 0 ? duration((total - finished) / rate) : '?';
  return `${finished}/${total} | ${Math.round(rate)} per minute | ${left} left | ${failed} failed | ${unknown} in doubt`;
}

/** Formats a duration given in minutes: 125 becomes `2 h 05 min`. */
export function duration(minutes: number): string {
  if (minutes < 1) return `${Math.max(0, Math.round(minutes * 60))} s`;
  const rounded = Math.round(minutes);
  if (rounded < 60) return `${rounded} min`;
  return `${Math.floor(rounded / 60)} h ${String(rounded % 60).padStart(2, '0')} min`;
}
