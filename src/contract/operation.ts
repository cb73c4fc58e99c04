import * as z from 'zod/mini';
import type { RuleErrorCode } from './error-codes.js';
import { lazy } from './lazy.js';
import type { Scope } from './scopes.js';
import { type AnyInputSchema, listOf, type Schema } from './zod-internals.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface OperationRow {
  /** The operation's number in the specification. */
  number: number;
  /** A short description for `openapi.json`, the documentation, and `--help`. */
  summary: string;
  method: Method;
  /** The path template under `/api/v1`, for example `/boards/{board}`. */
  path: string;
  scope: Scope;
  /** The status of a successful response. */
  status: 200 | 201 | 204;
  query?: () => AnyInputSchema;
  body?: () => AnyInputSchema;
  /** The body's schema for deployments with a default board, if it differs from `body`. */
  bodyOnDefaultBoard?: () => AnyInputSchema;
  /** The schema for the record or list inside the envelope. Omitted if the response has no body. */
  response?: () => Schema<unknown>;
  /** The error codes the operation can return with a 422, besides `validation_failed`. */
  errorCodes?: readonly RuleErrorCode[];
  /** Whether the list is paginated. */
  paginated?: boolean;
  /**
   * Whether performing the operation twice has the same effect as performing it once. @defaultValue true for
   * all methods except POST
   */
  idempotent?: boolean;
}

/** The parameter names in a path template, for example `'project'` in `/projects/{project}/boards`. */
export type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

/**
 * A row with its defaults and path parameters. Its schemas are properties instead of functions and are
 * created on first use.
 */
export type CompleteRow<Row extends OperationRow> = {
  [Key in keyof Row as Exclude<Key, 'errorCodes'>]: Row[Key] extends (() => infer Made) | undefined
    ? Made
    : Row[Key];
} & {
  parameters: readonly PathParameter<Row['path']>[];
  params: Schema<Record<PathParameter<Row['path']>, string>>;
  /** The error codes the operation can return with a 422. */
  errorCodes: readonly RuleErrorCode[];
  paginated: boolean;
  idempotent: boolean;
};

/** Adds defaults and path parameters to a row. */
export function operation<const Row extends OperationRow>(row: Row): CompleteRow<Row> {
  const parameters = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const complete = {
    paginated: false,
    idempotent: row.method !== 'POST',
    ...row,
    errorCodes: [...(row.body || row.query ? ['validation_failed'] : []), ...(row.errorCodes ?? [])],
    parameters,
    params: () => z.strictObject(Object.fromEntries(parameters.map((name) => [name, pathParameter()]))),
  };
  for (const part of ['params', 'query', 'body', 'bodyOnDefaultBoard', 'response'] as const) {
    const create = complete[part];
    if (create) defineOnFirstUse(complete, part, create);
  }
  return complete as unknown as CompleteRow<Row>;
}

/**
 * Defines a property whose value is created on first use, because creating all schemas in advance would take
 * several milliseconds.
 */
function defineOnFirstUse(target: object, name: string, create: () => unknown): void {
  const get = () => {
    const value = create();
    Object.defineProperty(target, name, { value, enumerable: true });
    return value;
  };
  Object.defineProperty(target, name, { get, enumerable: true, configurable: true });
}

/**
 * The schema for a path parameter. It rejects:
 *
 * - `.` and `..`, which would be resolved as relative paths
 * - an empty string, which would address the parent resource
 * - lone surrogates, which can't be percent-encoded
 */
const pathParameter = lazy(() =>
  z.string().check(
    z.refine((value) => !/^\.{0,2}$/.test(value), 'must not be empty, ".", or ".."'),
    z.refine((value) => !/\p{Surrogate}/u.test(value), 'must be well-formed Unicode'),
  ),
);

/** Creates the schema for a list, or for the items on a page. */
export const list = <Item>(item: () => Schema<Item>) => lazy<Schema<Item[]>>(() => listOf(item()));
