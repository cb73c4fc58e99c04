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

it('guards narrow to their class, with its literal name and code', () => {
  const error: unknown = undefined;
  if (isUnprocessableError(error)) {
    expectTypeOf(error.name).toEqualTypeOf<'UnprocessableError'>();
    expectTypeOf(error.code).toEqualTypeOf<'unprocessable'>();
    expectTypeOf(error.fieldErrors).toEqualTypeOf<InvalidRequestError['fieldErrors']>();
  }
  if (isApiError(error)) {
    expectTypeOf(error.status).toEqualTypeOf<number>();
    expectTypeOf<'wip_limit_reached'>().toExtend<ErrorCode>();
    expectTypeOf<ErrorCode>().toExtend<NonNullable<typeof error.reason>>();
  }
  if (isWorktrackError(error)) expectTypeOf(error.outcome).toEqualTypeOf<Outcome>();
});

it('errors of the client and of the server have the same field errors', () => {
  expectTypeOf<InvalidRequestError['fieldErrors']>().toEqualTypeOf<UnprocessableError['fieldErrors']>();
});
