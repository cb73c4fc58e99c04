import type { Fault } from 'worktrack/mock-server';

/** Faults that users can turn on with one click. */
export const faultPresets = {
  slow: { label: 'Slow', hint: 'Delays every response by 0.6 s.', fault: { latency: 600 } },
  busy: {
    label: 'Overloaded',
    hint: 'Responds to half of all requests with 503. The client retries the requests that are safe to retry.',
    fault: { status: 503, retryAfter: 0, probability: 0.5 },
  },
  limited: {
    label: 'Rate limit',
    hint: 'Rejects writes with 429 and asks the client to wait 1 s.',
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
    label: 'Lost responses',
    hint: 'Processes writes, but closes the connection before responding.',
    fault: { error: 'response_lost', operation: ['tickets.create', 'tickets.move', 'documents.create'] },
  },
} as const satisfies Record<string, { label: string; hint: string; fault: Fault }>;

export type FaultPreset = keyof typeof faultPresets;
