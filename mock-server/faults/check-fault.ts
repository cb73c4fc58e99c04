import { isObject } from '../../src/wire/index.js';
import { refuseUnknown } from '../options/refuse-unknown.js';
import { requireOperation } from '../options/require-operation.js';
import { type Fault, faultErrors } from './fault.js';

/** @throws TypeError for a field or an operation that is unknown, and for figures that cannot be */
export function checkFault(fault: Fault): void {
  if (!isObject(fault as unknown)) throw new TypeError('faults: a fault is an object');
  refuseUnknown('faults', fault, known);
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

const wrongFigures = ({ credential, latency = 0, times = 0, after = 0, probability = 0 }: Fault) => {
  const [least, most] = Array.isArray(latency) ? latency : [latency, latency];
  return [
    !(isFrom0(least) && isFrom0(most) && most >= least && most < 2 ** 31) &&
      'latency must be milliseconds, or [least, most]',
    credential !== undefined && typeof credential !== 'string' && 'credential must be a name or a token',
    !(isFrom0(probability) && probability <= 1) && 'probability must be 0 to 1',
    !isFrom0(times) && 'times must be at least 0',
    !isFrom0(after) && 'after must be at least 0',
  ];
};

const wrongEffect = ({ latency, status, error, retryAfter, body, headers }: Fault) => [
  status !== undefined &&
    !(Number.isInteger(status) && status >= 200 && status <= 599) &&
    'status must be 200 to 599',
  status === undefined &&
    [retryAfter, body, headers].some((value) => value !== undefined) &&
    'retryAfter, body and headers go with status',
  retryAfter !== undefined &&
    !isFrom0(retryAfter) &&
    !isDate(retryAfter) &&
    'retryAfter must be at least 0 seconds, or a Date',
  headers !== undefined &&
    !(isObject(headers) && Object.values(headers).every((value) => typeof value === 'string')) &&
    'headers must be an object of texts',
  error !== undefined && !faultErrors.includes(error) && `error must be one of: ${faultErrors.join(', ')}`,
  error !== undefined && status !== undefined && 'status and error exclude each other',
  error === undefined && status === undefined && latency === undefined && 'give latency, status or error',
];

/** Text that looks like a number is none: JSON has both. */
export const isFrom0 = (value: unknown): boolean => typeof value === 'number' && value >= 0;

const isDate = (value: unknown): boolean => value instanceof Date && !Number.isNaN(value.getTime());
