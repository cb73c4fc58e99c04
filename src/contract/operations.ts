import { boardOperations } from './boards.js';
import { documentOperations } from './documents.js';
import type { ErrorCode, RuleErrorCode } from './error-codes.js';
import { notificationOperations } from './notifications.js';
import type { OperationRow, PathParameter } from './operation.js';
import { organizationOperations } from './organization.js';
import { projectOperations } from './projects.js';
import { ticketOperations } from './tickets.js';
import type { AnySchema, Schema } from './zod-internals.js';

/** All operations by ID. The ID is also the path to the operation's method on the client. */
export const operations = /* @__PURE__ */ (() => {
  const rows = {
    ...organizationOperations,
    ...projectOperations,
    ...boardOperations,
    ...ticketOperations,
    ...documentOperations,
    ...notificationOperations,
  };
  for (const [id, row] of Object.entries(rows)) Object.assign(row, { id });
  return rows;
})();

type Operations = typeof operations;

/** An operation ID, for example `'tickets.move'`. */
export type OperationId = keyof Operations;

export type PaginatedId = {
  [Id in OperationId]: Operations[Id] extends { paginated: true } ? Id : never;
}[OperationId];

/** An operation's path parameters, by name. */
export type ParamsOf<Id extends OperationId> = Record<PathParameter<Operations[Id]['path']>, string>;

/** The type of an operation's query before validation, or undefined if the operation has no query. */
export type QueryOf<Id extends OperationId> = InputOf<Operations[Id], 'query'>;

/** The type of an operation's body before validation, or undefined if the operation has no body. */
export type BodyOf<Id extends OperationId> = InputOf<Operations[Id], 'body'>;

/** Like {@link BodyOf}, for deployments with a default board. */
export type BodyOnDefaultBoardOf<Id extends OperationId> = InputOf<Operations[Id], 'bodyOnDefaultBoard'>;

/** The type of an operation's query after validation. */
export type SentQueryOf<Id extends OperationId> = OutputOf<Operations[Id], 'query'>;

/** The type of an operation's body after validation, with dates as strings. */
export type SentBodyOf<Id extends OperationId> = OutputOf<Operations[Id], 'body'>;

/** The type of an operation's result without the envelope: a record, a list, or undefined. */
export type ResultOf<Id extends OperationId> = OutputOf<Operations[Id], 'response'>;

type OutputOf<Row, Key extends string> =
  Row extends Record<Key, Schema<infer Output, infer _>> ? Output : undefined;

type InputOf<Row, Key extends string> =
  Row extends Record<Key, Schema<infer _, infer Input>> ? Input : undefined;

/** An operation with general types instead of literal types, for code that handles any operation. */
export interface Operation
  extends Omit<OperationRow, SchemaName>,
    Readonly<Partial<Record<SchemaName, AnySchema>>> {
  id: OperationId;
  /** The names of the path parameters. */
  parameters: readonly string[];
  params: AnySchema;
  /** The error codes the operation can return with a 422. */
  errorCodes: readonly RuleErrorCode[];
  paginated: boolean;
  idempotent: boolean;
}

type SchemaName = 'query' | 'body' | 'bodyOnDefaultBoard' | 'response';

export const operationOf = (id: OperationId): Operation => operations[id] as unknown as Operation;

/** All operation IDs, in specification order. */
export const operationIds: readonly OperationId[] = /* @__PURE__ */ (() =>
  (Object.keys(operations) as OperationId[]).sort((a, b) => operations[a].number - operations[b].number))();

/**
 * Returns the error codes defined by the contract for an operation and a status.
 *
 * @returns the codes, for example `['wip_limit_reached', …]`, or an empty array if none are defined
 */
export function errorCodesOf(
  { body, parameters, errorCodes }: Pick<Operation, 'parameters' | 'errorCodes'> & { body?: unknown },
  status: number,
): readonly ErrorCode[] {
  switch (status) {
    case 400:
      return body ? ['malformed_json'] : [];
    case 401:
      return ['invalid_credential'];
    case 403:
      return ['missing_scope', 'wrong_organization'];
    case 404:
      return parameters.some((name) => name !== 'organization') ? ['not_found'] : [];
    case 413:
      return body ? ['payload_too_large'] : [];
    case 422:
      return errorCodes;
    case 429:
      return ['rate_limited'];
    default:
      return [];
  }
}
