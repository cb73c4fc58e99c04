import { AsyncLocalStorage } from 'node:async_hooks';
import { Worktrack } from 'worktrack';

/** The request that the app is responding to. */
export const incoming = new AsyncLocalStorage<Request>();

// Reads WORKTRACK_BASE_URL, WORKTRACK_TOKEN, and WORKTRACK_ORGANIZATION.
export const client = new Worktrack({
  hooks: {
    request({ headers }) {
      const baggage = incoming.getStore()?.headers.get('baggage');
      if (baggage) headers.set('baggage', baggage);
    },
  },
});
