import cliProgress from 'cli-progress';

/** Creates a progress bar on standard error that disappears when it stops. */
export const newProgressBar = (format: string): cliProgress.SingleBar =>
  new cliProgress.SingleBar(
    { format, stream: process.stderr, hideCursor: true, clearOnComplete: true, fps: 5 },
    cliProgress.Presets.shades_classic,
  );
