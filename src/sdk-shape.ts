import type { OperationId, PaginatedId, ResultOf } from './contract/index.js';

/**
 * The methods a client must have: one per operation, at the path given by the operation ID. If a method is
 * missing or returns the wrong type, the client doesn't compile.
 */
export type SdkShape<Ids extends string = OperationId, Prefix extends string = ''> = {
  readonly [Name in Head<Ids>]: Name extends Ids
    ? (...input: never[]) => PromiseLike<MethodResult<`${Prefix}${Name}`>>
    : SdkShape<Tail<Ids, Name>, `${Prefix}${Name}.`>;
};

type Head<Id extends string> = Id extends `${infer Name}.${string}` ? Name : Id;

type Tail<Id extends string, Name extends string> = Id extends `${Name}.${infer Rest}` ? Rest : never;

type MethodResult<Id extends string> = Id extends PaginatedId
  ? { data: ResultOf<Id> }
  : Id extends OperationId
    ? ResultOf<Id>
    : unknown;
