import { isObject } from '../../src/wire/index.js';
import { refuseUnknown } from '../options/refuse-unknown.js';
import { requireOperation } from '../options/require-operation.js';
import { type Fault, faultErrors } from './fault.js';

/** @throws TypeError if a field or an operation is unknown, or a value is invalid */
export function checkFault(fault: Fault): void {
  if (!isObject(fault as unknown)) throw new TypeError('faults: a fault is an object');
  refuseUnknown('faults', fault, known);
  if (fault.operation !== undefined) {
    const ids = [fault.operation].flat();
    if (ids.length === 0) {
      throw new TypeError(
        'faults: operation is an empty list, which applies to no request; leave it out for all',
      );
    }
    for (const id of ids) requireOperation('faults', id);
  }
  const problems = [...selectionProblems(fault), ...effectProblems(fault)].filter(
    (problem) => problem !== false,
  );
  if (problems.length > 0) throw new TypeError(`faults: ${problems.join('; ')}`);
}

/** Every field of a fault. A mistyped one would make it apply to other requests, or do nothing. */
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

const selectionProblems = ({ credential, latency = 0, times = 0, after = 0, probability = 0 }: Fault) => {
  const [minimum, maximum] = Array.isArray(latency) ? latency : [latency, latency];
  return [
    !(isFrom0(minimum) && isFrom0(maximum) && maximum >= minimum && maximum < 2 ** 31) &&
      'latency must be milliseconds, or [minimum, maximum]',
    credential !== undefined && typeof credential !== 'string' && 'credential must be a name or a token',
    !(isFrom0(probability) && probability <= 1) && 'probability must be 0 to 1',
    !isFrom0(times) && 'times must be at least 0',
    !isFrom0(after) && 'after must be at least 0',
  ];
};

const effectProblems = ({ latency, status, error, retryAfter, body, headers }: Fault) => [
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
  !isJson(body) && 'body must be a string or a value that JSON can hold',
  headers !== undefined && headersProblem(headers),
  error !== undefined && !faultErrors.includes(error) && `error must be one of: ${faultErrors.join(', ')}`,
  error !== undefined && status !== undefined && 'status and error exclude each other',
  error === undefined && status === undefined && latency === undefined && 'give latency, status or error',
];

/** A header that can't be sent would fail each request that the fault applies to. */
function headersProblem(headers: unknown): string | false {
  if (!isObject(headers)) return 'headers must be an object of strings';
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== 'string') return 'headers must be an object of strings';
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
      return `headers: ${JSON.stringify(name)} isn't a valid header name`;
    if (/^(?:content-length|transfer-encoding)$/i.test(name)) {
      return `headers: ${name} follows from the body and can't be set`;
    }
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return `headers: the value of ${name} can't be sent`;
  }
  return false;
}

/** Cycles, BigInt and thousands of levels can't be written as JSON. */
function isJson(body: unknown): boolean {
  try {
    JSON.stringify(body);
    return true;
  } catch {
    return false;
  }
}

/** A string that looks like a number isn't one: JSON has both. */
export const isFrom0 = (value: unknown): boolean => typeof value === 'number' && value >= 0;

const isDate = (value: unknown): boolean => value instanceof Date && !Number.isNaN(value.getTime());
