import type { FaultHandle } from '../../faults/faults.js';
import type { MockServer } from '../../mock-server.js';
import type { ActiveFault, ClockView } from './admin-api.js';

/** Converts a clock to its representation in admin responses. */
export const viewClock = ({ clock }: MockServer): ClockView => ({
  now: clock.iso(),
  frozen: clock.frozen,
});

/** Converts a fault to its representation in admin responses. */
export const viewFault = ({ id, count, fault }: FaultHandle): ActiveFault => ({ id, count, ...fault });
