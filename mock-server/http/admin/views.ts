import type { FaultHandle } from '../../faults/faults.js';
import type { MockServer } from '../../mock-server.js';

/** A clock in the form of the admin routes. */
export const viewClock = ({ clock }: MockServer): { now: string; frozen: boolean } => ({
  now: clock.iso(),
  frozen: clock.frozen,
});

/** A fault in the form of the admin routes. */
export const viewFault = ({ id, count, fault }: FaultHandle): object => ({ id, count, ...fault });
