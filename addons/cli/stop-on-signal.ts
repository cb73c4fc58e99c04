import { constants } from 'node:os';

/** The signals with which the user or the system stops a command. */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Returns a signal that aborts when the user or the system stops the command. A second signal ends the
 * process.
 *
 * @param onStop called on the first signal, for example to print how long stopping takes
 */
export function stopOnSignal(onStop: () => void = () => {}) {
  const controller = new AbortController();
  const stop = (signal: NodeJS.Signals) => {
    ignoreSignals();
    controller.abort(signal);
    onStop();
  };
  const ignoreSignals = () => {
    for (const signal of stopSignals) process.removeListener(signal, stop);
  };
  for (const signal of stopSignals) process.on(signal, stop);
  return {
    signal: controller.signal,
    ignoreSignals,
    /**
     * Returns the exit code that a shell would report: 128 plus the number of the signal that stopped the
     * command. Returns undefined if no signal stopped it.
     */
    exitCode: () =>
      controller.signal.aborted
        ? 128 + constants.signals[controller.signal.reason as NodeJS.Signals]
        : undefined,
  };
}
