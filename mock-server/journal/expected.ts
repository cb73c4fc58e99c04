import type { OperationId } from '../../src/contract/index.js';
import type { RecordedRequest } from './entry.js';

/**
 * What a request should be like: any of its fields. Objects may have more fields than the expectation.
 * A function decides for itself, a regular expression is matched against a string, and matchers of a
 * test runner (`expect.any(String)`) work as well.
 */
export type ExpectedRequest<Id extends OperationId = OperationId> = {
  readonly [Field in keyof RecordedRequest<Id>]?: Expected<RecordedRequest<Id>[Field]>;
};

/** A value, part of one, or something that decides whether a value is right. */
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

/** A matcher of a test runner, such as `expect.any(String)`. */
export interface AsymmetricMatcher {
  asymmetricMatch(other: unknown): boolean;
}
