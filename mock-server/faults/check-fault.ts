import { requireOperation } from '../known-operation.js';
import { type Fault, faultErrors } from './fault.js';

/** @throws TypeError for a field or an operation that is unknown, and for figures that cannot be */
export function checkFault(fault: Fault): void {
  for (const name of Object.keys(fault)) {
    if (!Object.hasOwn(known, name)) {
      throw new TypeError(`faults: ${name} is not known; there are: ${Object.keys(known).join(', ')}`);
    }
  }
  if (fault.operation !== undefined) {
    const ids = [fault.operation].flat();
    if (ids.length === 0) {
      throw new TypeError('faults: operation is an empty list, which no request is in; leave it out for all');
    }
    for (const id of ids) requireOperation('faults', id);
  }
  const problems = [...wrongFigures(fault), ...wrongEffect(fault)].filter((problem) => problem !== false);
  if (problems.length > 0) throw new TypeError(`faults: ${problems.join('; ')}`);
}

/** Every field of a fault; one that is misspelt would make it meet other requests, or do nothing. */
const known: Record<keyof Fault, true> = {
  operation: true,
  credential: true,
  after: true,
  times: true,
  probability: true,
  latency: true,
  status: true,
  retryAfter: true,
  body: true,
  headers: true,
  error: true,
};

const wrongFigures = ({ latency = 0, times = 0, after = 0, probability = 0 }: Fault) => {
  const [least, most] = Array.isArray(latency) ? latency : [latency, latency];
  return [
    !(Number.isFinite(least) && least >= 0 && most >= least && most < 2 ** 31) &&
      'latency must be milliseconds, or [least, most]',
    !(probability >= 0 && probability <= 1) && 'probability must be 0 to 1',
    !(times >= 0) && 'times must be at least 0',
    !(after >= 0) && 'after must be at least 0',
  ];
};

const wrongEffect = ({ latency, status, error, retryAfter, body, headers }: Fault) => [
  status !== undefined &&
    !(Number.isInteger(status) && status >= 200 && status <= 599) &&
    'status must be 200 to 599',
  status === undefined &&
    [retryAfter, body, headers].some((value) => value !== undefined) &&
    'retryAfter, body and headers go with status',
  typeof retryAfter === 'number' && !(retryAfter >= 0) && 'retryAfter must be at least 0 seconds',
  error !== undefined && !faultErrors.includes(error) && `error must be one of: ${faultErrors.join(', ')}`,
  error !== undefined && status !== undefined && 'status and error exclude each other',
  error === undefined && status === undefined && latency === undefined && 'give latency, status or error',
];
