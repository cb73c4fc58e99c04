import type { Worktrack } from '../client.js';
import { sharedBy } from '../http/operation-client.js';

/** Decides when a feed's sweeps start, in place of its interval. */
export interface SweepControl {
  /** Waits until the next sweep, or until the signal aborts. */
  nextSweep(intervalMs: number, signal: AbortSignal | undefined): Promise<void>;
  now(): Date;
  /** Called when the feed ends. */
  end(): void;
}

/** Functions that return the control of a new feed, by what a client shares with the clients derived from it. */
const controls = new WeakMap<object, () => SweepControl>();

/** @throws TypeError if the client was created by another copy of this package */
export function setSweepControl(client: Worktrack, create: () => SweepControl): void {
  const shared = sharedBy(client);
  if (!shared) throw new TypeError('controlSweeps: the client is not from this copy of worktrack');
  controls.set(shared, create);
}

export const sweepControlOf = (client: Worktrack): SweepControl | undefined =>
  controls.get(sharedBy(client) ?? client)?.();
