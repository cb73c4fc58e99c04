import { expect, it } from 'vitest';
import * as worktrack from 'worktrack';

/** By name, as the cases name them. */
const exported: Record<string, unknown> = { ...worktrack };

const context = { outcome: 'refused', status: 400, headers: new Headers(), body: '' } as const;
const answers = [
  'ApiError',
  'AuthenticationError',
  'PermissionDeniedError',
  'NotFoundError',
  'UnprocessableError',
  'RateLimitError',
  'ServerError',
] as const;
const others = [
  'ConfigurationError',
  'InvalidRequestError',
  'ConnectionError',
  'RequestTimeoutError',
  'RequestAbortedError',
  'InvalidResponseError',
] as const;

it.each([...answers, ...others])('is%s tells its errors from all others', (name) => {
  const guard = exported[`is${name}`] as (value: unknown) => boolean;
  const made = [...answers, ...others].map((other) => {
    const ErrorClass = exported[other] as new (message: string, about: object) => Error;
    return new ErrorClass('x', { ...context, fieldErrors: {} });
  });

  const expected = name === 'ApiError' ? answers : [name];
  expect(made.filter(guard).map((error) => error.name)).toEqual([...expected]);
  expect(made.filter(worktrack.isWorktrackError)).toEqual(made);
});
