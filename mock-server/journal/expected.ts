import type { OperationId } from '../../src/contract/index.js';
import type { RecordedRequest } from './entry.js';

/**
 * Expected values for any of a request's fields. Objects can have additional fields. Instead of a value, you
 * can pass a predicate function, a regular expression, or an asymmetric matcher (`expect.any(String)`).
 */
export type ExpectedRequest<Id extends OperationId = OperationId> = {
  readonly [Field in keyof RecordedRequest<Id>]?: Expected<RecordedRequest<Id>[Field]>;
};

/** An expected value: a literal, partial object, predicate, regular expression, or asymmetric matcher. */
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

/** A test runner's asymmetric matcher, such as `expect.any(String)`. */
export interface AsymmetricMatcher {
  asymmetricMatch(other: unknown): boolean;
}
