import * as z from 'zod/mini';
import type { Worktrack } from '../../../src/client.js';
import {
  type AnySchema,
  type CreateDocument,
  type Document,
  describeFieldErrors,
  operationOf,
  type Ticket,
  validate,
} from '../../../src/contract/index.js';
import { lazy } from '../../../src/contract/lazy.js';
import { InvalidRequestError, NotFoundError } from '../../../src/errors/index.js';
import type { NewTicket } from '../../../src/hooks.js';
import {
  clientOption,
  fn,
  isNonEmptyString,
  nonEmptyString,
  requiredFn,
  requiredOption,
} from '../../../src/option-schema.js';
import { isObject } from '../../../src/shared/json.js';
import { boardIds, ignoreUnknownBoard } from './board-ids.js';
import { rowError } from './ledger-entry.js';
import { compareTitles, sameHtml, sameTitle, searchTerm, titleGroup } from './match.js';
import { checkImportOptions } from './options.js';
import { findInPages, IncompleteSearch, pagesOf, responds, send } from './requests.js';
import { areAlike, syncField, syncFields } from './sync/fields.js';
import type { ImportTarget } from './target.js';

/** The ticket fields that a row sets. A sync can create archived tickets, but an import can't. */
export type SyncedTicket = NewTicket & { archived?: boolean | undefined };

/** Options for {@link ticketTarget}. */
export interface TicketTargetOptions<Row> {
  client: Worktrack;
  /** The project ID. */
  project: string;
  /** Converts a row to a ticket. If it throws, the row fails. A sync doesn't change omitted fields. */
  toTicket: (row: Row) => SyncedTicket | Promise<SyncedTicket>;
  /**
   * Returns whether a ticket was created from a row. Called only for in-doubt rows. By default, the payload's
   * fields are compared. To identify tickets reliably, include the row's key in the description.
   */
  isMatch?: ((row: Row, ticket: Ticket) => boolean | Promise<boolean>) | undefined;
}

const ticketTargetOptions = () =>
  z.strictObject({
    client: clientOption(),
    project: requiredOption('a project ID', isNonEmptyString),
    toTicket: requiredFn(),
    isMatch: fn(),
  } satisfies Record<keyof TicketTargetOptions<unknown>, z.ZodMiniType>);

/**
 * Creates a ticket target for `runImport` and `createImportWorker`.
 *
 * @throws ConfigurationError if an option is unknown or invalid
 */
export function ticketTarget<Row>(
  options: TicketTargetOptions<Row>,
): ImportTarget<Row, SyncedTicket, Ticket> {
  checkImportOptions(ticketTargetOptions(), options);
  const { client, project, toTicket, isMatch } = options;
  const boards = boardIds(client, project);
  return {
    scope: `tickets:${project}`,
    toPayload: async (row) => requireObject('toTicket', await toTicket(row)),
    create: (ticket, context) =>
      send(context, (options) => client.tickets.create(project, ticket, { ...options, retry: 0 })),
    isFatal: (error) => error instanceof NotFoundError,
    isAvailable: (context) => responds(context, (options) => client.projects.get(project, options)),
    lookup: {
      group: ({ title }) => titleGroup(title),
      async *find({ title, board_id, board_slug }, context) {
        const board = board_slug ? await boards(board_slug, context).catch(ignoreUnknownBoard) : board_id;
        const query = { q: searchTerm(title), per_page: 200 };
        yield* findInPages(
          context,
          (range, options) => client.tickets.list(project, { ...query, ...range }, options),
          // The board is only a hint, because users may have moved the ticket to another one.
          (range, options) =>
            client.tickets.list(project, { ...query, ...range, ...(board && { board_id: board }) }, options),
        );
      },
      async match(sent, ticket, row) {
        if (isMatch) return callIsMatch(isMatch, row, ticket);
        if (ticket.creator?.type === 'user') return 'no';
        const title = compareTitles(sent.title, ticket.title);
        if (title === 'no' || title === 'maybe') return title;
        const board = sent.board_slug
          ? await boards(sent.board_slug).catch(ignoreUnknownBoard)
          : sent.board_id;
        const isSame = areAlike(ticketFields(), { ...sent, archived: undefined }, ticket);
        return (board ?? ticket.board_id) === ticket.board_id && isSame ? title : 'maybe';
      },
      isIdentity: isMatch !== undefined,
    },
    updates: {
      fields: ticketFields(),
      async valuesOf({ board_slug, ...values }, context) {
        if (board_slug === undefined) return values;
        const board = await boards(board_slug, context);
        return board === undefined ? values : { ...values, board_id: board };
      },
      valuesSent: ({ board_slug: _, ...values }, { board_id }) => ({ ...values, board_id }),
      forCreate: ({ archived: _, ...ticket }) => ticket,
      list: (context) =>
        pagesOf(context, (options) => client.tickets.list(project, { per_page: 200 }, options)),
      get: (id, context) => send(context, (options) => client.tickets.get(id, options)),
      check: ({ board_id: _, ...values }) => updateError('tickets.update', values),
      async update({ id }, { board_id, ...values }, context) {
        let ticket: Ticket | undefined;
        if (Object.keys(values).length > 0)
          ticket = await send(context, (options) => client.tickets.update(id, values, options));
        if (board_id !== undefined) {
          const board = { board_id: `${board_id}` };
          ticket = await send(context, (options) => client.tickets.move(id, board, options));
        }
        return ticket as Ticket;
      },
      delete: (id, context) => send(context, (options) => client.tickets.delete(id, options)),
    },
  };
}

/** @throws TypeError if a function's result isn't an object, for example because it lacks a `return` statement */
function requireObject<Payload>(name: string, payload: Payload): Payload {
  if (isObject(payload)) return payload;
  throw new TypeError(`${name} must return an object (got ${String(payload)})`);
}

const ticketFields = lazy(() => ({
  ...syncFields<Ticket>('tickets.update', { title: sameTitle, description_html: sameHtml }),
  board_id: syncField<Ticket>('board_id'),
}));

/** The document fields that a row sets. A sync can create archived documents, but an import can't. */
export type SyncedDocument = CreateDocument & { archived?: boolean | undefined };

/** Options for {@link documentTarget}. */
export interface DocumentTargetOptions<Row> {
  client: Worktrack;
  /** The organization ID. Defaults to the client's organization. */
  organization?: string | undefined;
  /** Converts a row to a document. If it throws, the row fails. A sync doesn't change omitted fields. */
  toDocument: (row: Row) => SyncedDocument | Promise<SyncedDocument>;
  /**
   * Returns whether a document was created from a row. Called only for in-doubt rows. By default, the fields
   * of the payload are compared.
   */
  isMatch?: ((row: Row, document: Document) => boolean | Promise<boolean>) | undefined;
}

const documentTargetOptions = () =>
  z.strictObject({
    client: clientOption(),
    organization: nonEmptyString(),
    toDocument: requiredFn(),
    isMatch: fn(),
  } satisfies Record<keyof DocumentTargetOptions<unknown>, z.ZodMiniType>);

/**
 * Creates a document target for `runImport` and `createImportWorker`.
 *
 * @throws ConfigurationError if an option is unknown or invalid
 */
export function documentTarget<Row>(
  options: DocumentTargetOptions<Row>,
): ImportTarget<Row, SyncedDocument, Document> {
  checkImportOptions(documentTargetOptions(), options);
  const { client, organization, toDocument, isMatch } = options;
  return {
    scope: organization === undefined ? 'documents' : `documents:${organization}`,
    toPayload: async (row) => requireObject('toDocument', await toDocument(row)),
    create: (document, context) =>
      send(context, (options) => client.documents.create(document, { ...options, organization, retry: 0 })),
    // The organization is part of the path, so a 404 affects every row.
    isFatal: (error) => error instanceof NotFoundError,
    isAvailable: (context) =>
      responds(context, (options) => client.organization.get({ ...options, organization })),
    lookup: {
      group: ({ title }) => titleGroup(title),
      find: ({ title }, context) =>
        findInPages(context, (range, options) =>
          client.documents.list(
            { q: searchTerm(title), per_page: 200, ...range },
            { ...options, organization },
          ),
        ),
      async match(sent, document, row) {
        if (isMatch) return callIsMatch(isMatch, row, document);
        if (document.author?.type === 'user') return 'no';
        const title = compareTitles(sent.title, document.title);
        return title === 'no' || areAlike(documentFields(), { ...sent, archived: undefined }, document)
          ? title
          : 'maybe';
      },
      isIdentity: isMatch !== undefined,
    },
    updates: {
      fields: documentFields(),
      valuesOf: (values) => ({ ...values }),
      valuesSent: (values) => ({ ...values }),
      forCreate: ({ archived: _, ...document }) => document,
      list: (context) =>
        pagesOf(context, (options) => client.documents.list({ per_page: 200 }, { ...options, organization })),
      get: (id, context) => send(context, (options) => client.documents.get(id, options)),
      check: (values) => updateError('documents.update', values),
      update: ({ id }, values, context) =>
        send(context, (options) => client.documents.update(id, values, options)),
      delete: (id, context) => send(context, (options) => client.documents.delete(id, options)),
    },
  };
}

const documentFields = lazy(() =>
  syncFields<Document>('documents.update', { title: sameTitle, caption: sameHtml, content_html: sameHtml }),
);

/** Returns the error that an update would throw because of invalid values. */
function updateError(operation: 'tickets.update' | 'documents.update', values: object): Error | undefined {
  const result = validate(operationOf(operation).body as AnySchema, values);
  if (result.ok) return undefined;
  const { fieldErrors } = result;
  const message = `${operation}: ${describeFieldErrors(fieldErrors)}`;
  return new InvalidRequestError(message, { operation, fieldErrors });
}

/** Calls an `isMatch` function. If it throws an error, the row stays in doubt, and the error is reported. */
async function callIsMatch<Row, Found>(
  isMatch: (row: Row, record: Found) => boolean | Promise<boolean>,
  row: Row,
  record: Found,
): Promise<'exact' | 'no'> {
  try {
    return (await isMatch(row, record)) ? 'exact' : 'no';
  } catch (cause) {
    throw new IncompleteSearch(`isMatch failed: ${rowError(cause).message}`, { cause });
  }
}
