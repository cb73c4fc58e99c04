import { expectTypeOf, it } from 'vitest';
import {
  ApiError,
  type ErrorCode,
  type InvalidRequestError,
  type Outcome,
  UnprocessableError,
  WorktrackError,
} from 'worktrack';

it('instanceof narrows an error to its class, whose name is a literal type', () => {
  const error: unknown = undefined;
  if (error instanceof UnprocessableError) {
    expectTypeOf(error.name).toEqualTypeOf<'UnprocessableError'>();
    expectTypeOf(error.fieldErrors).toEqualTypeOf<InvalidRequestError['fieldErrors']>();
  }
  if (error instanceof ApiError) {
    expectTypeOf(error.status).toEqualTypeOf<number>();
    expectTypeOf<'wip_limit_reached'>().toExtend<ErrorCode>();
    expectTypeOf(error.code).toEqualTypeOf<ErrorCode | (string & {})>();
  }
  if (error instanceof WorktrackError) expectTypeOf(error.outcome).toEqualTypeOf<Outcome>();
});

it('client-side and server-side errors have the same fieldErrors type', () => {
  expectTypeOf<InvalidRequestError['fieldErrors']>().toEqualTypeOf<UnprocessableError['fieldErrors']>();
});
