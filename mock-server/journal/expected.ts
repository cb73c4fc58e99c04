import type { OperationId } from '../../src/contract/index.js';
import type { RecordedRequest } from './entry.js';

/**
 * The expected values of any fields of a request. Objects may have more fields than expected. A value can
 * also be a predicate function, a regular expression, or a matcher of the test runner (`expect.any(String)`).
 */
export type ExpectedRequest<Id extends OperationId = OperationId> = {
  readonly [Field in keyof RecordedRequest<Id>]?: Expected<RecordedRequest<Id>[Field]>;
};

/** An expected value, a part of one, or a predicate, regular expression or matcher. */
export type Expected<Value> = unknown extends Value
  ? unknown
  : AsymmetricMatcher | ((actual: Value) => unknown) | ExpectedShape<Value>;

type ExpectedShape<Value> = Value extends string
  ? Value | RegExp
  : Value extends readonly (infer Item)[]
    ? readonly Expected<Item>[]
    : Value extends object
      ? { readonly [Key in keyof Value]?: Expected<Value[Key]> }
      : Value;

/** An asymmetric matcher of a test runner, such as `expect.any(String)`. */
export interface AsymmetricMatcher {
  asymmetricMatch(other: unknown): boolean;
}
