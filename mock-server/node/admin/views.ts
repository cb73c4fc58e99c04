import type { FaultHandle } from '../../faults/faults.js';
import type { MockServer } from '../../mock-server.js';
import type { MockClientOptions } from '../../options/client-options.js';
import type { ActiveFault, ClockView } from './admin-api.js';

/**
 * Returns the options for a client in another process. Omits `wire`, because JSON can't contain its
 * functions.
 */
export function connectionTo(mock: MockServer): Omit<MockClientOptions, 'wire'> {
  const { wire: _, ...options } = mock.clientOptions();
  return options;
}

/** Returns whether the server has a credential, which clients need to connect. */
export const hasCredential = ({ state }: MockServer): boolean => state.credentials.all().length > 0;

/** Returns a server's clock as it appears in admin responses. */
export const viewClock = ({ clock }: MockServer): ClockView => ({
  now: clock.iso(),
  frozen: clock.frozen,
});

/** Returns a fault as it appears in admin responses. */
export const viewFault = ({ id, count, fault }: FaultHandle): ActiveFault => ({ id, count, ...fault });
