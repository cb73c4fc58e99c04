import type { Worktrack } from '../client.js';
import type { CreateDocument, Document } from '../contract/index.js';
import { NotFoundError } from '../errors/index.js';
import { compareTitles, sameContent, sameIds, sameSet, searchTerm, titleGroup } from './match.js';
import type { RunImportOptions } from './options.js';
import type { ImportReport } from './report.js';
import { counted, findInPages, responds } from './requests.js';
import { runImport } from './run-import.js';
import type { ImportTarget } from './target.js';

/** Options for {@link documentTarget}. */
export interface DocumentTargetOptions<Row> {
  client: Worktrack;
  /** The organization ID. Defaults to the client's organization. */
  organization?: string | undefined;
  /** Converts a row to a document. If it throws, the row fails. */
  toDocument: (row: Row) => CreateDocument | Promise<CreateDocument>;
  /**
   * Returns whether a document was created from a row. Called only for in-doubt rows. By default, the payload
   * fields are compared.
   */
  isMatch?: ((row: Row, document: Document) => boolean | Promise<boolean>) | undefined;
}

/** Options for {@link importDocuments}. */
export interface ImportDocumentsOptions<Row>
  extends DocumentTargetOptions<Row>,
    Omit<RunImportOptions<Row>, 'target'> {}

/**
 * Imports rows as documents. Each row becomes exactly one document. Works like {@link importTickets}.
 *
 * @throws ImportStoppedError if the import can't continue
 * @throws LedgerError if the ledger belongs to another import
 */
export function importDocuments<Row>(options: ImportDocumentsOptions<Row>): Promise<ImportReport<Row>> {
  const { client, organization, toDocument, isMatch, ...run } = options;
  const target = documentTarget({ client, organization, toDocument, isMatch });
  return runImport<Row>({ ...run, target });
}

/** Creates a document target for `runImport` and `createImportWorker`. */
export function documentTarget<Row>({
  client,
  organization,
  toDocument,
  isMatch,
}: DocumentTargetOptions<Row>): ImportTarget<Row, CreateDocument, Document> {
  return {
    scope: organization === undefined ? 'documents' : `documents:${organization}`,
    toPayload: toDocument,
    create: (document, context) =>
      counted(context, (options) =>
        client.documents.create(document, { ...options, organization, retry: 0 }),
      ),
    // The organization is in the path, so a 404 affects every row.
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
        return title === 'no' || sameFields(sent, document) ? title : 'maybe';
      },
      isIdentity: isMatch !== undefined,
    },
  };
}

/** Compares all fields except the title, which the caller compares. */
function sameFields(sent: CreateDocument, document: Document): boolean {
  const { title: _, project_id = document.project_id, editor_ids, tag_names, ...content } = sent;
  return (
    project_id === document.project_id &&
    sameContent(content, document) &&
    sameIds(editor_ids, document.editors) &&
    (tag_names === undefined ||
      sameSet(
        tag_names,
        document.tags.map(({ name }) => name),
      ))
  );
}
