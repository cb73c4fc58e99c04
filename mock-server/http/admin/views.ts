import type { FaultHandle } from '../../faults/faults.js';
import type { MockServer } from '../../mock-server.js';

/** A clock as the admin routes show it. */
export const viewClock = ({ clock }: MockServer): { now: string; frozen: boolean } => ({
  now: clock.iso(),
  frozen: clock.frozen,
});

/** A fault as the admin routes show it. */
export const viewFault = ({ id, count, fault }: FaultHandle): object => ({ id, count, ...fault });
