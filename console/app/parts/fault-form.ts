import type { OperationId } from 'worktrack';
import type { Fault, FaultError } from 'worktrack/mock-server';

/** What the user entered for a fault. An empty string stands for no condition. */
export interface FaultForm {
  effect: 'status' | 'latency' | 'error';
  status: number;
  latency: number;
  error: FaultError;
  operation: OperationId | '';
  /** Name of a credential. */
  credential: string;
  times: number | '';
  /** Percent. */
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
