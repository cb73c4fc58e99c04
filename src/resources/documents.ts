import type {
  CreateComment,
  CreateDocument,
  Document,
  DocumentComment,
  ListDocumentsQuery,
  UpdateDocument,
} from '../contract/index.js';
import type { ApiPromise } from '../http/api-promise.js';
import type { Caller } from '../http/caller.js';
import { createOnce, findItem } from '../http/create-once.js';
import type { PageList } from '../http/pagination.js';
import type { CallOptions, ListOptions } from '../options.js';
import { Resource } from './resource.js';

/** Documents of an organization. */
export class Documents extends Resource {
  /** Comments on documents. */
  readonly comments: DocumentComments;

  /** @internal */
  constructor(caller: Caller) {
    super(caller);
    this.comments = new DocumentComments(caller);
  }

  /**
   * Lists the organization's documents, oldest first, in pages. Scope `documents:read`.
   *
   * @param query filters. Documents must have all `tags`; `per_page` is 1 to 200, 50 by default.
   *
   * @example
   * ```ts
   * const page = await client.documents.list({ tags: ['ops', 'runbook'], status: 'published' });
   * ```
   */
  list(query?: ListDocumentsQuery, options?: ListOptions): PageList<Document> {
    return this.paginate('documents.list', { query }, options);
  }

  /**
   * Creates a document, which is a draft unless `status` is set. Scope `documents:write`.
   *
   * @param body title up to 500 characters, caption up to 2,000, content up to 1,000,000, at most 100
   * editors and 20 tags of up to 50 characters
   * @throws {@link UnprocessableError} if the project or an editor is unknown (`invalid_relation`)
   *
   * @example
   * ```ts
   * const runbook = await client.documents.create({ title: 'Runbook', tag_names: ['ops'] });
   * ```
   */
  create(body: CreateDocument, options?: CallOptions): ApiPromise<Document> {
    return this.call('documents.create', { body }, options);
  }

  /**
   * Creates a document unless the organization has one with the same title. If the response to the creation is
   * lost, looks for the document again. Two programs that do this at the same time can still create two
   * documents. Scopes `documents:read` and `documents:write`.
   *
   * @returns the document that exists or was created
   */
  createOnce(body: CreateDocument, options?: CallOptions): Promise<Document> {
    return createOnce({
      find: () =>
        findItem(this.list({ q: body.title, per_page: 200 }, options), ({ title }) => title === body.title),
      create: () => this.create(body, options),
    });
  }

  /** Gets a document. Scope `documents:read`. */
  get(document: string, options?: CallOptions): ApiPromise<Document> {
    return this.call('documents.get', { params: { document } }, options);
  }

  /**
   * Updates, publishes or archives a document. Lists are replaced as a whole. Scope `documents:write`.
   *
   * @throws {@link UnprocessableError} if the project or an editor is unknown (`invalid_relation`)
   */
  update(document: string, body: UpdateDocument, options?: CallOptions): ApiPromise<Document> {
    return this.call('documents.update', { params: { document }, body }, options);
  }

  /** Deletes a document (soft delete). Scope `documents:write`. */
  delete(document: string, options?: CallOptions): ApiPromise<undefined> {
    return this.call('documents.delete', { params: { document } }, options);
  }
}

/** Comments on documents. */
export class DocumentComments extends Resource {
  /**
   * Comments on a document. Scope `document_comments:write`.
   *
   * @param body HTML, up to 200,000 characters
   */
  create(document: string, body: CreateComment, options?: CallOptions): ApiPromise<DocumentComment> {
    return this.call('documents.comments.create', { params: { document }, body }, options);
  }
}
