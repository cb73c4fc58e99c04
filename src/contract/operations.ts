import { boardOperations } from './boards.js';
import { documentOperations } from './documents.js';
import { notificationOperations } from './notifications.js';
import type { Operation, PathParameter } from './operation.js';
import { organizationOperations } from './organization.js';
import { projectOperations } from './projects.js';
import { ticketOperations } from './tickets.js';
import type { Schema } from './zod-internals.js';

/** All operations by ID. The ID is also the path to the operation's method on the client. */
export const operations = /* @__PURE__ */ (() => ({
  ...organizationOperations,
  ...projectOperations,
  ...boardOperations,
  ...ticketOperations,
  ...documentOperations,
  ...notificationOperations,
}))();

type Operations = typeof operations;

/** An operation ID, for example `'tickets.move'`. */
export type OperationId = keyof Operations;

/** The IDs of the paginated operations. */
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

/** Returns an operation with general types instead of literal types, for code that handles any operation. */
export const operationOf = (id: OperationId): Operation => operations[id] as unknown as Operation;

/** All operation IDs, in specification order. */
export const operationIds: readonly OperationId[] = /* @__PURE__ */ (() =>
  (Object.keys(operations) as OperationId[]).sort((a, b) => operations[a].number - operations[b].number))();
