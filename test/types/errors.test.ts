import { expectTypeOf, it } from 'vitest';
import {
  type ErrorCode,
  type InvalidRequestError,
  isApiError,
  isUnprocessableError,
  isWorktrackError,
  type Outcome,
  type UnprocessableError,
} from 'worktrack';

it('type guards narrow an error to its class with a literal name', () => {
  const error: unknown = undefined;
  if (isUnprocessableError(error)) {
    expectTypeOf(error.name).toEqualTypeOf<'UnprocessableError'>();
    expectTypeOf(error.fieldErrors).toEqualTypeOf<InvalidRequestError['fieldErrors']>();
  }
  if (isApiError(error)) {
    expectTypeOf(error.status).toEqualTypeOf<number>();
    expectTypeOf<'wip_limit_reached'>().toExtend<ErrorCode>();
    expectTypeOf(error.code).toEqualTypeOf<ErrorCode | (string & {})>();
  }
  if (isWorktrackError(error)) expectTypeOf(error.outcome).toEqualTypeOf<Outcome>();
});

it('client-side and server-side errors have the same fieldErrors type', () => {
  expectTypeOf<InvalidRequestError['fieldErrors']>().toEqualTypeOf<UnprocessableError['fieldErrors']>();
});
