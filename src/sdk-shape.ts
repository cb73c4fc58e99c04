import type { OperationId, PaginatedId, ResultOf } from './contract/index.js';

/**
 * What a client must offer: for every operation of the contract a method at the path that is its id, with
 * the operation's result. A client that lacks one does not compile.
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
