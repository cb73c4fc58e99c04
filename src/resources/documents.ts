import type {
  CreateComment,
  CreateDocument,
  Document,
  DocumentComment,
  ListDocumentsQuery,
  UpdateDocument,
} from '../contract/index.js';
import type { FindByKeyOptions, FindOptions } from '../http/find-or-create.js';
import { Resource } from '../http/operation-client.js';
import type { PageList } from '../http/pagination.js';
import type { ApiPromise } from '../http/read-response.js';
import type { RecordStore } from '../http/record-search.js';
import type { CallOptions, ListOptions } from '../options.js';

/** The organization's documents. */
export class Documents extends Resource {
  /** Document comments. */
  readonly comments = new DocumentComments(this.operations);

  /**
   * Lists the organization's documents in pages, oldest first. Requires the `documents:read` scope.
   *
   * @param query filters, and `per_page` (1 to 200, 50 by default). `tags` matches only documents that have
   * all of the given tags.
   *
   * @example
   * ```ts
   * const page = await client.documents.list({ tags: ['ops', 'runbook'], status: 'published' });
   * ```
   */
  list(query?: ListDocumentsQuery, options?: ListOptions): PageList<Document> {
    return this.operations.list('documents.list', { query }, options);
  }

  /**
   * Creates a document. It's a draft unless `status` is `published`. Requires the `documents:write` scope.
   *
   * @param body the title (up to 500 characters), the caption (up to 2,000), the content (up to 1,000,000),
   * up to 100 editors, and up to 20 tags (up to 50 characters each)
   * @throws {@link UnprocessableError} if the project or an editor is unknown (`invalid_relation`)
   *
   * @example
   * ```ts
   * const runbook = await client.documents.create({ title: 'Runbook', tag_names: ['ops'] });
   * ```
   */
  create(body: CreateDocument, options?: CallOptions): ApiPromise<Document> {
    return this.operations.call('documents.create', { body }, options);
  }

  /**
   * Finds the document that has a given key or that `match` accepts, or creates it if it doesn't exist. You
   * can safely call this method again after a lost response, or in a job that may run twice.
   *
   * With `key`, the method searches the entire organization. It stores the key in the content of a new
   * document, as a last paragraph such as `Created with key: form-123 [h5w0c2me]`. Text in `body` that looks like
   * such a paragraph is changed so that it can't claim a key. With `match`, the method searches the project in
   * `project_id`, or the entire organization if `project_id` is omitted.
   *
   * The method creates a document only after a complete search. If the response is lost, it searches again and
   * never creates a second document. Concurrent calls with the same key and credential return the same document
   * if they're made on the same client or on clients created from each other with `withOptions`. Other
   * concurrent calls can still create duplicates.
   *
   * If a call with a key fails, for example because you aborted it, its outcome may be unknown. The next call
   * with that key then searches for up to four seconds before it creates a document.
   *
   * Requires the `documents:read` and `documents:write` scopes.
   *
   * @param options `key` or `match`, and the call options. `totalTimeout` applies to the entire call.
   * @returns the existing or new document. If several documents on a page match, returns the oldest.
   * @throws {@link IncompleteListError} if the documents can't be read completely
   *
   * @example
   * ```ts
   * const runbook = await client.documents.findOrCreate({ title: 'Runbook' }, { key: 'runbook-7' });
   * ```
   */
  findOrCreate(body: CreateDocument, options: FindOptions<Document>): Promise<Document> {
    return this.operations.findOrCreate('documents.create', options, (next) => ({
      ...this.#store(next),
      html: body?.content_html,
      filter: async () => ({ project_id: body?.project_id ?? undefined }),
      create: (content_html) => this.create({ ...body, content_html }, next()),
    }));
  }

  /**
   * Finds the document that {@link findOrCreate} created with a key, or that was imported from a source. Only a
   * key in the last paragraph of the content counts. Requires the `documents:read` scope.
   *
   * @param key the key (1 to 200 characters)
   * @param options `source`, to find an imported document, and the call options. `totalTimeout` applies to the
   * entire call.
   * @returns the document, or undefined if there is none
   * @throws {@link IncompleteListError} if the documents can't be read completely
   *
   * @example
   * ```ts
   * const runbook = await client.documents.findByKey('runbook-7');
   * ```
   */
  findByKey(key: string, options?: FindByKeyOptions): Promise<Document | undefined> {
    return this.operations.findByKey('documents.list', key, options, (next) => this.#store(next));
  }

  #store(next: () => CallOptions): RecordStore<Document> {
    return {
      htmlOf: (document) => document.content_html,
      list: (query) => this.list(query, next()),
      get: (id) => this.get(id, next()),
    };
  }

  /** Gets a document. Requires the `documents:read` scope. */
  get(document: string, options?: CallOptions): ApiPromise<Document> {
    return this.operations.call('documents.get', { params: { document } }, options);
  }

  /**
   * Updates, publishes, or archives a document. Omitted fields don't change. Lists are replaced entirely.
   * Requires the `documents:write` scope.
   *
   * A new `content_html` replaces the entire content, including the last paragraph with the key of
   * `findOrCreate` or of an import. To keep the document's key, use {@link keepKey}.
   *
   * @throws {@link UnprocessableError} if the project or an editor is unknown (`invalid_relation`)
   */
  update(document: string, body: UpdateDocument, options?: CallOptions): ApiPromise<Document> {
    return this.operations.call('documents.update', { params: { document }, body }, options);
  }

  /** Deletes a document (soft delete). Requires the `documents:write` scope. */
  delete(document: string, options?: CallOptions): ApiPromise<undefined> {
    return this.operations.call('documents.delete', { params: { document } }, options);
  }
}

/** Document comments. */
export class DocumentComments extends Resource {
  /**
   * Adds a comment to a document. Requires the `document_comments:write` scope.
   *
   * @param body HTML, up to 200,000 characters
   */
  create(document: string, body: CreateComment, options?: CallOptions): ApiPromise<DocumentComment> {
    return this.operations.call('documents.comments.create', { params: { document }, body }, options);
  }
}
