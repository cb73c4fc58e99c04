import type { Fault } from 'worktrack/mock-server';

/** The faults that a user can turn on. */
export const faultPresets = {
  slow: { label: 'Slow', hint: 'Every response takes 0.6 s', fault: { latency: 600 } },
  busy: {
    label: 'Overloaded',
    hint: 'Half of the responses are 503. The client retries if it is safe.',
    fault: { status: 503, retryAfter: 0, probability: 0.5 },
  },
  limited: {
    label: 'Rate limit',
    hint: 'Writes are rejected with 429, and may be retried after 1 s.',
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
    hint: 'The server performs writes, but the connection breaks before the response.',
    fault: { error: 'response_lost', operation: ['tickets.create', 'tickets.move', 'documents.create'] },
  },
} as const satisfies Record<string, { label: string; hint: string; fault: Fault }>;

export type FaultPreset = keyof typeof faultPresets;
