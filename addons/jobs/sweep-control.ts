import type { Worktrack } from '../../src/index.js';
import { sharedBy } from '../../src/internal.js';

/** Decides when a feed's sweeps start. Replaces the feed's interval. */
export interface SweepControl {
  /** Waits until it's time for the next sweep, or until the signal aborts. */
  nextSweep(intervalMs: number, signal: AbortSignal | undefined): Promise<void>;
  now(): Date;
  /** Called when the feed finishes. */
  end(): void;
}

/**
 * For each client, the function that creates the control for a new feed. The keys are the objects that
 * clients share with their derived clients.
 */
const controls = new WeakMap<object, () => SweepControl>();

/** @throws TypeError if the client was created by another copy of this package */
export function setSweepControl(client: Worktrack, create: () => SweepControl): void {
  const shared = sharedBy(client);
  if (!shared) throw new TypeError('controlSweeps: the client was not created by this copy of worktrack');
  controls.set(shared, create);
}

export const sweepControlOf = (client: Worktrack): SweepControl | undefined =>
  controls.get(sharedBy(client) ?? client)?.();
