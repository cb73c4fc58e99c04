import type { FaultHandle } from '../../faults/faults.js';
import type { MockServer } from '../../mock-server.js';

/** Converts a clock to its representation in admin responses. */
export const viewClock = ({ clock }: MockServer): { now: string; frozen: boolean } => ({
  now: clock.iso(),
  frozen: clock.frozen,
});

/** Converts a fault to its representation in admin responses. */
export const viewFault = ({ id, count, fault }: FaultHandle): object => ({ id, count, ...fault });
