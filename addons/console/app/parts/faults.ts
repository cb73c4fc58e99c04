import type { OperationId } from 'worktrack';
import { operations } from 'worktrack/contract';
import type { Fault, FaultError } from 'worktrack/mock-server';

/** The description of each kind of failure, for the list of faults and for the form. */
export const errorTexts: Record<FaultError, { effect: string; details: string }> = {
  connection: {
    effect: 'Connection closes',
    details: 'Connection closes before the server processes the request',
  },
  response_lost: {
    effect: 'Response is lost',
    details: 'Connection closes after the server processes the request',
  },
  truncated: {
    effect: 'Body is truncated',
    details: 'Connection closes in the middle of the response body',
  },
  malformed: { effect: 'Body isn’t valid JSON', details: 'Response body isn’t valid JSON' },
};

export const isOperation = (name: string): name is OperationId => Object.hasOwn(operations, name);

/** Describes what a fault does and which requests it affects. */
export function describeFault(fault: Fault): { effect: string; selection: string } {
  const { operation, credential, after, times, probability } = fault;
  const operations = typeof operation === 'string' ? [operation] : (operation ?? []);
  const selection = [
    operations.length > 0 ? operations.join(', ') : 'all operations',
    credential !== undefined && `by ${credential}`,
    after !== undefined && `after ${after} requests`,
    times !== undefined && (times === 1 ? 'once' : `${times} times`),
    probability !== undefined && `${Math.round(probability * 100)}% of requests`,
  ];
  return { effect: effectOf(fault), selection: selection.filter(Boolean).join(' · ') };
}

function effectOf({ status, error, latency, retryAfter }: Fault): string {
  const parts = [
    status !== undefined && `Status ${status}`,
    error !== undefined && errorTexts[error].effect,
    latency !== undefined && `Latency ${typeof latency === 'number' ? latency : latency.join(' to ')} ms`,
    retryAfter !== undefined && `Retry-After ${retryAfter}`,
  ];
  return parts.filter(Boolean).join(', ');
}

/** The values in the fault form. An empty field doesn't restrict the fault. */
export interface FaultForm {
  effect: 'status' | 'latency' | 'error';
  status: number;
  latency: number;
  error: FaultError;
  operation: OperationId | '';
  credential: string;
  times: number | '';
  /** The probability as a percentage. */
  probability: number;
}

export function toFault(form: FaultForm): Fault {
  const { effect, operation, credential, times, probability } = form;
  return {
    [effect]: form[effect],
    ...(operation !== '' && { operation }),
    ...(credential !== '' && { credential }),
    ...(times !== '' && { times }),
    ...(probability < 100 && { probability: probability / 100 }),
  };
}
