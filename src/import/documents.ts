import type { Worktrack } from '../client.js';
import type { CreateDocument, Document } from '../contract/index.js';
import { lazy } from '../contract/lazy.js';
import { NotFoundError } from '../errors/index.js';
import { compareTitles, sameHtml, sameTitle, searchTerm, titleGroup } from './match.js';
import { findInPages, pagesOf, responds, send, updateError } from './requests.js';
import { areAlike, syncFields } from './sync/fields.js';
import type { ImportTarget } from './target.js';

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

/** Creates a document target for `runImport` and `createImportWorker`. */
export function documentTarget<Row>({
  client,
  organization,
  toDocument,
  isMatch,
}: DocumentTargetOptions<Row>): ImportTarget<Row, SyncedDocument, Document> {
  return {
    scope: organization === undefined ? 'documents' : `documents:${organization}`,
    toPayload: toDocument,
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
        if (isMatch) return (await isMatch(row, document)) ? 'exact' : 'no';
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
