import type { Operation, PathParameter } from '../operation.js';
import type { Schema } from '../schemas/fields.js';
import { boardOperations } from './boards.js';
import { documentOperations } from './documents.js';
import { notificationOperations } from './notifications.js';
import { organizationOperations } from './organization.js';
import { projectOperations } from './projects.js';
import { ticketOperations } from './tickets.js';

/** The API: every operation by its id, which is also its path in the SDK. */
export const operations = /* @__PURE__ */ (() => ({
  ...organizationOperations,
  ...projectOperations,
  ...boardOperations,
  ...ticketOperations,
  ...documentOperations,
  ...notificationOperations,
}))();

type Operations = typeof operations;

/** `'tickets.move'` and the twenty-nine others. */
export type OperationId = keyof Operations;

/** The ids of the operations whose lists come in pages. */
export type PaginatedId = {
  [Id in OperationId]: Operations[Id] extends { paginated: true } ? Id : never;
}[OperationId];

/** Path parameters of an operation, by name. */
export type ParamsOf<Id extends OperationId> = Record<PathParameter<Operations[Id]['path']>, string>;

/** What an operation's query takes; undefined where it has none. */
export type QueryOf<Id extends OperationId> = InputOf<Operations[Id], 'query'>;

/** What an operation's body takes; undefined where it has none. */
export type BodyOf<Id extends OperationId> = InputOf<Operations[Id], 'body'>;

/** The query as it arrives: validated, typed. */
export type SentQueryOf<Id extends OperationId> = OutputOf<Operations[Id], 'query'>;

/** The body as it arrives: validated, dates as text. */
export type SentBodyOf<Id extends OperationId> = OutputOf<Operations[Id], 'body'>;

/** What an operation answers with inside the envelope: a record, a list, or undefined. */
export type ResultOf<Id extends OperationId> = OutputOf<Operations[Id], 'response'>;

type OutputOf<Row, Key extends string> =
  Row extends Record<Key, Schema<infer Output, infer _>> ? Output : undefined;

type InputOf<Row, Key extends string> =
  Row extends Record<Key, Schema<infer _, infer Input>> ? Input : undefined;

/** The row of an operation, without its literal types: for code that treats all alike. */
export const operationOf = (id: OperationId): Operation => operations[id] as unknown as Operation;

/** All ids, in the specification's order. */
export const operationIds: readonly OperationId[] = /* @__PURE__ */ (() =>
  (Object.keys(operations) as OperationId[]).sort((a, b) => operations[a].number - operations[b].number))();
