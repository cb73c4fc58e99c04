import type { OperationId } from 'worktrack';
import type { Fault, FaultError } from 'worktrack/mock-server';

/** The values in the fault form. An empty field doesn't restrict the fault. */
export interface FaultForm {
  effect: 'status' | 'latency' | 'error';
  status: number;
  latency: number;
  error: FaultError;
  operation: OperationId | '';
  /** The credential's name. */
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
