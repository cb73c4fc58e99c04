import type { Fault } from 'worktrack/mock-server';

/** The faults that a person can switch on. */
export const playgroundFaults = {
  slow: { label: 'Slow', hint: 'Every answer takes 0.6 s', fault: { latency: 600 } },
  busy: {
    label: 'Overloaded',
    hint: 'Half of the answers are 503; what is safe to repeat is repeated',
    fault: { status: 503, retryAfter: 0, probability: 0.5 },
  },
  limited: {
    label: 'Rate limit',
    hint: 'Writes are refused with 429, to be tried again in a second',
    fault: {
      status: 429,
      retryAfter: 1,
      operation: [
        'tickets.create',
        'tickets.update',
        'tickets.move',
        'tickets.delete',
        'documents.create',
        'documents.update',
      ],
    },
  },
  cut: {
    label: 'Cut off',
    hint: 'The connection breaks after the work was done: the answer is lost',
    fault: { error: 'response_lost', operation: ['tickets.create', 'tickets.move', 'documents.create'] },
  },
} as const satisfies Record<string, { label: string; hint: string; fault: Fault }>;

export type FaultName = keyof typeof playgroundFaults;
